import type { KubeObject } from "../../../../deploy/shared/rendered.ts";
import type { Build, Check } from "../build.ts";
import { fieldsOf } from "../build.ts";
import { placesOf } from "../senders.ts";
import { containersOf, whatIs } from "../workload.ts";
import type { Workload } from "../workload.ts";

const envOf = (workload: Workload, wanted: string): string | undefined =>
  containersOf(workload)
    .flatMap(([, { env = [] }]) => env)
    .find(({ name }) => name === wanted)
    ?.value?.replaceAll("$(POD_NAMESPACE)", workload.namespace);

/** What a function asks its callers for: a token for this audience, or the shared secret. */
const askedBy = (workload: Workload): string | undefined =>
  envOf(workload, "OIDC_AUDIENCE") ??
  (envOf(workload, "CALLER_SECRET_FILE") === undefined ? undefined : "the secret");

const subjectsOf = (workload: Workload): readonly string[] =>
  (envOf(workload, "OIDC_SUBJECTS") ?? "").split(",").map((subject) => subject.trim());

/** What a sender sends along: the audience of its projected token, or the shared secret. */
const sentBy = (workload: Workload): string | undefined => {
  if (envOf(workload, "SINK_TOKEN_FILE") === undefined) return undefined;
  return (
    /"serviceAccountToken":\{"audience":"(?<audience>[^"]*)"/u.exec(JSON.stringify(workload.pod.volumes))
      ?.groups?.["audience"] ?? "the secret"
  );
};

const ofPair = (from: Workload, to: Workload): readonly string[] => {
  const asked = askedBy(to);
  const sent = sentBy(from);
  if (asked !== sent)
    return [`${from.what}: env.SINK_TOKEN_FILE: sends ${sent}, and ${to.what} asks for ${asked}`];
  const subject = `system:serviceaccount:${from.namespace}:${from.pod.serviceAccountName}`;
  const isNamed = asked === undefined || asked === "the secret" || subjectsOf(to).includes(subject);
  return isNamed ? [] : [`${to.what}: env.OIDC_SUBJECTS does not name ${subject}`];
};

/** The account that Knative makes for a source's tokens. */
const accountOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `system:serviceaccount:${metadata.namespace}:${metadata.name}-oidc-${apiVersion.split("/")[0]}-${kind.toLowerCase()}`;

const ofSource = (source: KubeObject, to: Workload): readonly string[] => {
  // A Trigger has no sink, and Brokers of ours no audience.
  const { spec }: { spec: { sink?: { audience?: string } } } = fieldsOf(source);
  const audience = spec.sink?.audience;
  const asked = askedBy(to);
  if (asked !== audience)
    return [`${whatIs(source)}: spec.sink.audience: ${audience}, and ${to.what} asks for ${asked}`];
  return asked === undefined || subjectsOf(to).includes(accountOf(source))
    ? []
    : [`${to.what}: env.OIDC_SUBJECTS does not name ${accountOf(source)}`];
};

/** A ContainerSource's own pods send, with their own account's token. */
const sourceAt = ({ objects }: Build, at: string): KubeObject | undefined =>
  objects.find((object) => object.kind !== "ContainerSource" && at.startsWith(`${whatIs(object)}: `));

/** Whoever asks for a token gets the right one from everybody that calls it, and nobody sends one that is not asked for. */
export const tokens: Check = (build) =>
  placesOf(build).flatMap(({ at, from, to }) =>
    to.workloads.flatMap((workload) => {
      if (from !== undefined) return ofPair(from, workload);
      const source = sourceAt(build, at);
      return source === undefined ? [] : ofSource(source, workload);
    }),
  );
