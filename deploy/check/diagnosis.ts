import { type KubeObject, listAt, nameOf, textAt, valueAt } from "../shared/rendered.ts";

/** Why no container will ever run from an image: the kubelet tries on, but somebody has to act. */
const HOPELESS: ReadonlySet<string> = new Set(["ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"]);

type Trouble = { readonly image: string; readonly reason: string; readonly text: string };

const troublesOf = (pod: KubeObject): readonly Trouble[] =>
  [...listAt(pod, "status", "initContainerStatuses"), ...listAt(pod, "status", "containerStatuses")].flatMap(
    (status) => {
      const waiting = valueAt(status, "state", "waiting");
      const reason = textAt(waiting, "reason");
      if (reason === "" || reason === "ContainerCreating" || reason === "PodInitializing") return [];
      const said = textAt(waiting, "message") || textAt(status, "lastState", "terminated", "reason");
      const text = `${nameOf(pod)}: ${reason}${said === "" ? "" : `: ${said}`}`;
      return [{ image: textAt(status, "image"), reason, text }];
    },
  );

/** What stands in the way of pods for good, with these images; undefined where nothing does. Pods of a former version do not count. */
export const hopelessIn = (pods: readonly KubeObject[], images: ReadonlySet<string>): string | undefined =>
  pods
    .flatMap((pod) => troublesOf(pod))
    .find(({ reason, image }) => HOPELESS.has(reason) && images.has(image))?.text;

const unscheduledIn = (pods: readonly KubeObject[]): readonly string[] =>
  pods.flatMap((pod) =>
    listAt(pod, "status", "conditions")
      .filter((each) => textAt(each, "type") === "PodScheduled" && textAt(each, "status") === "False")
      .map((each) => `${nameOf(pod)}: ${textAt(each, "reason")}: ${textAt(each, "message")}`),
  );

const SHOWN = 8;

const timeOf = (event: KubeObject): string =>
  textAt(event, "lastTimestamp") ||
  textAt(event, "eventTime") ||
  textAt(event, "metadata", "creationTimestamp");

/** What events warn of, the newest first. */
const warningsIn = (events: readonly KubeObject[]): readonly string[] => {
  const texts = events
    .filter((event) => textAt(event, "type") === "Warning")
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .map((event) => {
      const about = `${textAt(event, "involvedObject", "kind")} ${textAt(event, "involvedObject", "name")}`;
      return `${timeOf(event)} ${about}: ${textAt(event, "reason")}: ${textAt(event, "message")}`;
    });
  return [...new Set(texts)].slice(0, SHOWN);
};

/** What to read when nothing comes up: containers that wait, pods that no node takes, events that warn. */
export const diagnosisOf = (
  pods: readonly KubeObject[],
  events: readonly KubeObject[],
): readonly string[] => [
  ...pods.flatMap((pod) => troublesOf(pod).map(({ text }) => text)),
  ...unscheduledIn(pods),
  ...warningsIn(events),
];
