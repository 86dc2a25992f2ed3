import { Failure, wordsOf } from "../shared/failure.ts";
import { itemsIn, type KubeObject, listAt, listOf, nameOf, textAt } from "../shared/rendered.ts";
import type { Tools } from "../shared/tools.ts";
import { Hopeless, waitUntil } from "../shared/wait-until.ts";
import { diagnosisOf, hopelessIn } from "./diagnosis.ts";
import { pendingIn, saysReady } from "./pending.ts";
import { tryAdmission } from "./trial.ts";

/** What is waited for. */
export type Expected = {
  readonly namespace: string;
  /** The rendered objects, and the Deployments that OpenFaaS makes. */
  readonly objects: readonly KubeObject[];
  /** Images of their containers. */
  readonly images: ReadonlySet<string>;
  readonly trialNamespace: string;
  readonly timeoutMs: number;
};

const INSTALL_POLICY = /^sampledb-install/u;

const podsOf = async ({ kubectl }: Tools, namespace: string): Promise<readonly KubeObject[]> =>
  itemsIn(
    await kubectl(["get", "pods", "-n", namespace, "-l", "app.kubernetes.io/part-of=sampledb", "-o", "json"]),
  );

/** The objects as they are now; what does not exist yet is not among them. */
const nowOf = async ({ kubectl }: Tools, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> => {
  if (objects.length === 0) return [];
  const names = objects.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }));
  return itemsIn(await kubectl(["get", "-f", "-", "--ignore-not-found", "-o", "json"], listOf(names)));
};

const absent = (wanted: readonly KubeObject[], present: readonly KubeObject[]): readonly string[] => {
  const there = new Set(present.map((object) => nameOf(object)));
  return wanted
    .map((object) => nameOf(object))
    .filter((name) => !there.has(name))
    .map((name) => `${name}: not made yet`);
};

/** What is still waited for, in words; empty when SampleDB is at work. */
const pendingNow = async (expected: Expected, tools: Tools): Promise<readonly string[]> => {
  const { objects, namespace, images } = expected;
  const hopeless = hopelessIn(await podsOf(tools, namespace), images);
  if (hopeless !== undefined) throw new Hopeless(hopeless);
  const working = objects.filter((object) => saysReady(object));
  const policy = objects.filter(
    ({ kind, metadata }) => kind === "ValidatingAdmissionPolicyBinding" && INSTALL_POLICY.test(metadata.name),
  );
  const now = await nowOf(tools, [...working, ...policy]);
  const isOpen = now.some(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");
  const pending = [
    ...absent(working, now),
    ...pendingIn(now),
    ...(isOpen ? ["the Job certify-install: not done yet"] : []),
  ];
  if (pending.length > 0) return pending;
  const fault = await tryAdmission(tools.kubectl, expected.trialNamespace);
  return fault === undefined ? [] : [fault];
};

const logOfInstall = ({ kubectl }: Tools, namespace: string): Promise<string> =>
  kubectl(["logs", "-n", namespace, "job/certify-install", "--tail=3"]).catch(() => "");

const diagnose = async (expected: Expected, tools: Tools): Promise<string> => {
  const { namespace } = expected;
  const [pods, events, log] = await Promise.all([
    podsOf(tools, namespace),
    tools.kubectl(["get", "events", "-n", namespace, "-o", "json"]).then(itemsIn),
    logOfInstall(tools, namespace),
  ]);
  const lines = [
    ...diagnosisOf(pods, events),
    ...log
      .split("\n")
      .filter(Boolean)
      .map((line) => `certify-install: ${line}`),
  ];
  return lines.length === 0 ? "  nothing more" : lines.map((line) => `  ${line}`).join("\n");
};

/** Waits until the functions run and admission judges. Throws a Failure that says what is missing, with what the cluster tells of it. */
export const untilReady = async (expected: Expected, tools: Tools): Promise<void> => {
  let last = "";
  const look = async (): Promise<true | undefined> => {
    if (tools.signal.aborted) throw new Hopeless("interrupted");
    const pending = await pendingNow(expected, tools);
    const text = pending.join("\n    ");
    if (text !== last && text !== "") tools.say(`    ${text}`);
    last = text;
    return pending.length === 0 || undefined;
  };
  try {
    await waitUntil(look, { what: "SampleDB's functions", timeoutMs: expected.timeoutMs, everyMs: 1000 });
  } catch (error) {
    if (tools.signal.aborted) throw error;
    const seen = await diagnose(expected, tools).catch(wordsOf);
    const why = error instanceof Hopeless ? error.message : `${wordsOf(error)}\n  ${last}`;
    throw new Failure(
      `SampleDB does not come up: ${why}\nWhat the cluster says:\n${seen}\nWhat was applied stays. Run the same again when it is mended.`,
    );
  }
};

/** Images of the containers of rendered objects. */
export const imagesOf = (objects: readonly KubeObject[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap((object) =>
      [
        ["spec", "template", "spec", "containers"],
        ["spec", "jobTemplate", "spec", "template", "spec", "containers"],
      ].flatMap((path) => listAt(object, ...path).map((container) => textAt(container, "image"))),
    ),
  );
