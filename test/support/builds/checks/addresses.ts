import type { Build, Check } from "../build.ts";
import { admissionCalls, placeOfCall } from "../admission-calls.ts";
import type { AdmissionCall } from "../admission-calls.ts";
import { Nowhere } from "../places.ts";
import { placesOf, sendings } from "../senders.ts";
import type { Sending } from "../senders.ts";
import type { Workload } from "../workload.ts";

/** Functions that repair a SampleDB, alone or together: each must hear of changes, and of every SampleDB now and then. */
const REPAIRING = new Set(["reconcile", "provision", "initialize", "retire", "report"]);

const attempt = (at: string, act: () => unknown): readonly string[] => {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof Nowhere) return [`${at}: ${error.message}`];
    throw error;
  }
};

/** cron-connector calls what has this annotation, which stands with the function. */
const isCalledByCron = ({ made }: Build, { maker, name }: Workload): boolean =>
  maker === "OpenFaaS" &&
  made.some(
    (object) => object.metadata.name === name && JSON.stringify(object).includes('"topic":"cron-function"'),
  );

const unheard = (build: Build): readonly string[] => {
  const places = placesOf(build);
  const hears = (workload: Workload, tells: Sending["tells"]): boolean =>
    places.some((each) => each.tells === tells && each.to.workloads.includes(workload));
  return build.workloads.flatMap((workload) => {
    if (REPAIRING.has(workload.fn))
      return (["changes", "a sweep"] as const)
        .filter((tells) => !hears(workload, tells))
        .map((tells) => `${workload.what}: nobody tells it of ${tells}`);
    if (workload.fn === "undelivered")
      return hears(workload, "what was not taken")
        ? []
        : [`${workload.what}: nobody sends it what was not taken`];
    const waits = workload.maker !== "Kubernetes" && ["resync", "certify"].includes(workload.fn);
    return !waits || hears(workload, "a tick") || isCalledByCron(build, workload)
      ? []
      : [`${workload.what}: nobody calls it`];
  });
};

const sweepsForNothing = (build: Build): readonly string[] =>
  placesOf(build)
    .filter(
      ({ tells, to }) =>
        (tells === "changes" || tells === "a sweep") && !to.workloads.every(({ fn }) => REPAIRING.has(fn)),
    )
    .map(({ at }) => `${at}: that is no function that repairs`);

/** Where the gateway passes it on to, by an object of Knative's that has its name. */
const passedOn = ({ objects }: Build, { at, serverName }: AdmissionCall): readonly string[] => {
  const isKnown = objects.some(
    (object) =>
      (object.kind === "DomainMapping" && object.metadata.name === serverName) ||
      (object.kind === "Ingress" && JSON.stringify(object["spec"]).includes(`"hosts":["${serverName}"]`)),
  );
  return isKnown ? [] : [`${at}: Knative's gateway does not know ${serverName}`];
};

const ofCall = (build: Build, call: AdmissionCall): readonly string[] => {
  const wrongPath =
    call.path === undefined || ["/mutate", "/validate"].includes(call.path)
      ? []
      : [`${call.at}.path: ${call.path}`];
  const nowhere = attempt(call.at, () => {
    const { through, workloads } = placeOfCall(build, call);
    if (through !== "platform" && !workloads.every(({ fn }) => fn === "admission"))
      throw new Nowhere(`the Service ${call.service} is not admission's`);
  });
  const isBehindGateway = nowhere.length === 0 && placeOfCall(build, call).through === "platform";
  return [...wrongPath, ...nowhere, ...(isBehindGateway ? passedOn(build, call) : [])];
};

const ofCalls = (build: Build): readonly string[] => {
  if (!build.workloads.some(({ fn }) => fn === "admission")) return [];
  const calls = admissionCalls(build);
  const names = new Set(calls.map(({ serverName }) => serverName));
  return [
    ...calls.flatMap((call) => ofCall(build, call)),
    ...(names.size === 1 ? [] : [`admission has ${names.size} names: ${[...names].join(", ")}`]),
  ];
};

/** Every address leads to pods of ours that take what is sent there, and nobody waits for a call that nobody makes. */
export const addresses: Check = (build) => [
  ...sendings(build).flatMap(({ at, place }) => attempt(at, place)),
  ...unheard(build),
  ...sweepsForNothing(build),
  ...ofCalls(build),
];
