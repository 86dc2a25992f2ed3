import type { FakeRequest } from "../../support/fake-api-server.ts";
import { PROCESSES } from "./functions-up.ts";
import type { ProcessName } from "./functions-up.ts";

const GROUPS: Readonly<Record<string, string>> = {
  sampledbs: "/apis/sampledb.dev/v1",
  statefulsets: "/apis/apps/v1",
  jobs: "/apis/batch/v1",
  poddisruptionbudgets: "/apis/policy/v1",
};

/** Lists of children that are read where there is no such SampleDB: `report` tells of orphans. */
const ORPHANS = ["persistentvolumeclaims", "secrets", "statefulsets"];
const IF_GONE: Readonly<Record<ProcessName, readonly string[]>> = {
  provision: [],
  initialize: [],
  retire: [],
  report: ORPHANS,
  reconcile: ORPHANS,
};

const MADE = ["configmaps", "services", "poddisruptionbudgets", ...ORPHANS];
/** Those that are read where there is one. */
const IF_LIVING: Readonly<Record<ProcessName, readonly string[]>> = {
  provision: MADE,
  initialize: ["jobs", ...ORPHANS],
  retire: ["jobs", "pods", ...MADE],
  report: ["jobs", "pods", ...MADE],
  reconcile: ["jobs", "pods", ...MADE],
};

/** A call as one text: method, path, and the SampleDB that it selects by label. */
export const callText = ({ method, path, query }: FakeRequest): string => {
  const selector = query.get("labelSelector");
  return `${method} ${path}${selector === null ? "" : ` ${selector}`}`;
};

const callsFor = (lists: readonly string[], key: string): readonly string[] => {
  const [namespace = "", name = ""] = key.split("/");
  const at = (plural: string): string =>
    `GET ${GROUPS[plural] ?? "/api/v1"}/namespaces/${namespace}/${plural}`;
  return [
    `${at("sampledbs")}/${name}`,
    ...lists.map((plural) => `${at(plural)} sampledb.dev/database=${name}`),
  ];
};

/** Which function an event reaches in a process: the group's paths name one each. */
const functionAt = (process: ProcessName, path: string): ProcessName =>
  PROCESSES.find((name) => path === `/${name}`) ?? process;

/** Everything that an event may cost where none of the SampleDBs that it names exists. Keys as `namespace/name`. */
export const readsIfGone = (process: ProcessName, path: string, keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => callsFor(IF_GONE[functionAt(process, path)], key)).toSorted();

/** Functions that look at the volume of a bound claim. */
const VOLUME = new Set<ProcessName>(["provision", "retire", "reconcile"]);

/** The same where it exists, with a claim that is bound to the volume `pv-orders`, and nothing is to be done. */
export const readsIfLiving = (process: ProcessName, path: string, key: string): readonly string[] => {
  const name = functionAt(process, path);
  const volume = VOLUME.has(name) ? ["GET /api/v1/persistentvolumes/pv-orders"] : [];
  return [...callsFor(IF_LIVING[name], key), ...volume].toSorted();
};

/** The same where it exists, and nothing of it yet. */
export const readsIfBare = (process: ProcessName, path: string, key: string): readonly string[] =>
  callsFor(IF_LIVING[functionAt(process, path)], key);
