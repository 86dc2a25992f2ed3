import { mayConnect } from "../../kustomize/ingress.ts";
import type { NetworkPod, Port } from "../../kustomize/ingress.ts";
import { fieldsOf } from "../build.ts";
import type { Build, Check } from "../build.ts";
import { placesOfAdmission } from "../admission-calls.ts";
import { METRICS, PLATFORM, strangers } from "../platform-pods.ts";
import { networkPod, portsOf } from "../places.ts";
import type { Place } from "../places.ts";
import { placesOf } from "../senders.ts";
import { whatIs } from "../workload.ts";
import type { Workload } from "../workload.ts";

/** Ports of Knative's and OpenFaaS' helpers, of TLS, and one that nobody has. */
const OTHER_PORTS = [8012, 8022, 8080, 8081, 8082, 8112, 8443, 9090, 9091, 9999];
const API_SERVER = "the API server";
const METRICS_READER = "a reader of metrics";

/** Of the platform's own, which reach what serves. */
const MAY_KNOCK: ReadonlySet<string> = new Set([...Object.keys(PLATFORM), METRICS_READER]);

/** Pods that may try, by name; undefined: no pod. */
type Peers = ReadonlyMap<string, NetworkPod | undefined>;
/** A path that must be open: from a peer to a port, and what for. */
type Path = {
  readonly from: string;
  readonly to: Workload;
  readonly port: string | number;
  readonly why: string;
};

const peersOf = ({ workloads, namespace }: Build): Peers =>
  new Map<string, NetworkPod | undefined>([
    [API_SERVER, undefined],
    ...workloads.map((workload): [string, NetworkPod] => [workload.what, networkPod(workload)]),
    ...Object.entries(PLATFORM),
    [METRICS_READER, METRICS],
    ...Object.entries(strangers(namespace)),
  ]);

/** Who knocks at the pod itself. */
const knocks = (through: Place["through"], sender: Workload | undefined): readonly string[] => {
  if (through === "Service") return sender === undefined ? [] : [sender.what];
  if (through === "OpenFaaS") return ["openFaas"];
  return through === "Knative" ? ["activator", "kourier"] : [];
};

const ofEvents = (build: Build): readonly Path[] =>
  placesOf(build).flatMap(({ at, from, to }) =>
    to.workloads.flatMap((workload) =>
      knocks(to.through, from).map((peer) => ({ from: peer, to: workload, port: to.port, why: at })),
    ),
  );

const ofAdmission = (build: Build): readonly Path[] =>
  placesOfAdmission(build).flatMap(({ at, to: { workloads, port } }) =>
    workloads.map((to) => ({ from: API_SERVER, to, port, why: at })),
  );

const KNATIVE_PATHS = [
  ["activator", 8012],
  ["activator", 8112],
  ["kourier", 8012],
  ["kourier", 8112],
  ["autoscaler", 9090],
] as const;

/** Whatever Knative runs it also counts, and everything passes the queue-proxy, by one port or, where Knative's own traffic is encrypted, another. */
const ofKnative = ({ workloads }: Build): readonly Path[] =>
  workloads
    .filter(({ maker }) => maker === "Knative")
    .flatMap((to) => KNATIVE_PATHS.map(([from, port]) => ({ from, to, port, why: "Knative's own path" })));

/** Of cron-connector, which calls the gateway. */
const ofOpenFaas = ({ workloads }: Build): readonly Path[] =>
  workloads
    .filter(({ maker, fn }) => maker === "OpenFaaS" && fn === "resync")
    .map((to) => ({ from: "openFaas", to, port: 8080, why: "the tick of cron-connector" }));

/** Metrics stand where events go; admission's where the API server calls it, and nowhere else. */
const ofMetrics = ({ workloads }: Build): readonly Path[] =>
  workloads
    .filter((to) => to.fn !== "admission" && portsOf(to).some(({ number }) => number === 8080))
    .map((to) => ({ from: METRICS_READER, to, port: 8080, why: "metrics" }));

const neededIn = (build: Build): readonly Path[] => [
  ...ofEvents(build),
  ...ofAdmission(build),
  ...ofKnative(build),
  ...ofOpenFaas(build),
  ...ofMetrics(build),
];

type Scene = { readonly build: Build; readonly needed: readonly Path[]; readonly peers: Peers };

/** A run that ends by itself serves nobody, though the policies for its namesake that serves may hold for it too. */
const listens = ({ pod }: Workload): boolean =>
  !pod.containers.some(({ args = [] }) => args.includes("once"));

const allPorts = (workload: Workload): readonly Port[] => {
  const declared = portsOf(workload);
  const others = OTHER_PORTS.filter((number) => !declared.some((port) => port.number === number));
  return [...declared, ...others.map((number) => ({ name: undefined, number }))];
};

const ofPort = ({ build, needed, peers }: Scene, to: Workload, port: Port): readonly string[] => {
  const paths = needed.filter(
    (each) => each.to === to && (each.port === port.name || each.port === port.number),
  );
  const wanted = new Map(paths.map(({ from, why }) => [from, why]));
  const at = `${to.what}: port ${port.name ?? ""} ${port.number}`;
  return [...peers].flatMap(([name, pod]) => {
    const isLetIn = mayConnect(build.objects, pod, networkPod(to), port);
    if (!isLetIn && wanted.has(name))
      return [`${at}: the network policies keep out ${name} (${wanted.get(name)})`];
    // It is no pod and cannot be named: who lets it in lets in everybody.
    const isNeeded = wanted.has(name) || wanted.has(API_SERVER) || (!listens(to) && MAY_KNOCK.has(name));
    return isLetIn && !isNeeded ? [`${at}: the network policies let in ${name}, for nothing`] : [];
  });
};

const unjudged = ({ objects }: Build): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "NetworkPolicy")
    .filter((object) => {
      const { spec }: { spec: { policyTypes?: readonly string[] } } = fieldsOf(object);
      return spec.policyTypes?.join(" ") !== "Ingress";
    })
    .map((object) => `${whatIs(object)}: spec.policyTypes: only Ingress is judged here`);

/** Each pod can be reached at each port by those who need it, and by nobody else. */
export const network: Check = (build) => {
  const scene = { build, needed: neededIn(build), peers: peersOf(build) };
  return [
    ...unjudged(build),
    ...build.workloads.flatMap((to) => allPorts(to).flatMap((port) => ofPort(scene, to, port))),
  ];
};
