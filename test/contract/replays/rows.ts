import { readsIfBare, readsIfGone } from "../events/reads.ts";
import type { ProcessName } from "../events/functions-up.ts";
import type { Replay } from "./requests.ts";
import type { State } from "./world.ts";

/** The right answer to one kind of request, and all that is done for it: calls to the API server, and keys that are sent on (`SEND shop/orders`). */
type Cell = {
  readonly status: number;
  readonly does: (keys: readonly string[]) => readonly string[];
  /** Undefined: there is none. */
  readonly body?: RegExp;
};

/** What is right at one path of a deployable function. */
export type Row = {
  readonly deployable: string;
  readonly path: string;
  readonly state: State;
  readonly cells: Readonly<Record<Replay["kind"], Cell>>;
};

const nothing = (): readonly string[] => [];
const REFUSED: Cell = { status: 400, does: nothing, body: /./u };
const DONE_ALREADY: Cell = { status: 204, does: nothing };
const ONLY_POST: Cell = { ...REFUSED, status: 405 };

const NAMESPACE = "namespaces/shop";
const SAMPLEDB = `/apis/sampledb.dev/v1/${NAMESPACE}/sampledbs/orders`;
const PROVISIONED = [
  `POST /api/v1/${NAMESPACE}/secrets`,
  `POST /api/v1/${NAMESPACE}/persistentvolumeclaims`,
  `PATCH /api/v1/${NAMESPACE}/configmaps/orders`,
  `PATCH /api/v1/${NAMESPACE}/services/orders`,
  `PATCH /api/v1/${NAMESPACE}/services/orders-headless`,
  `PATCH /apis/policy/v1/${NAMESPACE}/poddisruptionbudgets/orders`,
  `PATCH /apis/apps/v1/${NAMESPACE}/statefulsets/orders-1`,
];
const INITIALIZED = [
  `PATCH /api/v1/${NAMESPACE}/persistentvolumeclaims/orders-1-1`,
  `DELETE /apis/batch/v1/${NAMESPACE}/jobs/orders-init`,
];
const REPORTED = [`PATCH ${SAMPLEDB}/status`];

/** A path at which an event is a pass: `writes` is what shop/orders then lacks. */
const passes = (
  deployable: ProcessName,
  path: string,
  writes: readonly string[],
  state: State = "bare",
): Row => ({
  deployable,
  path,
  state,
  cells: {
    event: {
      status: 204,
      does: (keys) =>
        keys.flatMap((key) =>
          key === "shop/orders"
            ? [...readsIfBare(deployable, path, key), ...writes]
            : readsIfGone(deployable, path, [key]),
        ),
    },
    tick: DONE_ALREADY,
    review: REFUSED,
    nonsense: REFUSED,
    look: ONLY_POST,
  },
});

/** Where dead letters end: each is told on the SampleDB that it names. */
const tells = (deployable: string): Row => ({
  deployable,
  path: "/",
  state: "bare",
  cells: {
    event: {
      status: 204,
      does: (keys) =>
        keys.flatMap((key) => [
          `GET /apis/sampledb.dev/v1/namespaces/${key.replace("/", "/sampledbs/")}`,
          ...(key === "shop/orders" ? [`POST /api/v1/${NAMESPACE}/events`] : []),
        ]),
    },
    tick: DONE_ALREADY,
    review: REFUSED,
    nonsense: REFUSED,
    look: ONLY_POST,
  },
});

/** A path at which a review is judged, or (undefined) nothing. */
const judges = (deployable: string, path: string, verdict: RegExp | undefined): Row => ({
  deployable,
  path,
  state: "bare",
  cells: {
    event: REFUSED,
    tick: REFUSED,
    review: verdict === undefined ? REFUSED : { status: 200, does: nothing, body: verdict },
    nonsense: REFUSED,
    look: verdict === undefined ? REFUSED : ONLY_POST,
  },
});
const MUTATED = /"uid":"review-1","allowed":true,"patchType":"JSONPatch","patch":"/u;
const VALID = /"response":\{"uid":"review-1","allowed":true\}\}$/u;

const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const certified = (): readonly string[] => [
  `GET /api/v1/${NAMESPACE}/secrets/sampledb-ca`,
  `GET /api/v1/${NAMESPACE}/secrets/sampledb-admission-tls`,
  "GET /apis/rbac.authorization.k8s.io/v1/clusterroles/sampledb-certify",
  ...["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].flatMap((kind) => [
    `GET ${REGISTRATION}/${kind}/sampledb`,
    `PATCH ${REGISTRATION}/${kind}/sampledb`,
  ]),
  `GET ${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install`,
  `DELETE ${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install`,
];

const ORPHANS = "sampledb.dev/database,sampledb.dev/retained!=true";
const swept = (): readonly string[] => [
  "GET /apis/sampledb.dev/v1/sampledbs",
  `GET /api/v1/persistentvolumeclaims ${ORPHANS}`,
  `GET /api/v1/secrets ${ORPHANS}`,
  `GET /apis/apps/v1/statefulsets ${ORPHANS}`,
  "SEND shop/orders",
  "SEND shop/gone",
];

/** Every path of every deployable function at which work is done, or might be thought to be. */
export const ROWS: readonly Row[] = [
  passes("provision", "/", PROVISIONED),
  passes("initialize", "/", INITIALIZED, "ready"),
  passes("retire", "/", [`PATCH ${SAMPLEDB}`], "leaving"),
  passes("report", "/", REPORTED),
  passes("reconcile", "/", [...PROVISIONED, ...REPORTED]),
  passes("reconcile", "/provision", PROVISIONED),
  passes("reconcile", "/initialize", []),
  passes("reconcile", "/retire", []),
  passes("reconcile", "/report", REPORTED),
  tells("undelivered"),
  judges("admission", "/", undefined),
  judges("admission", "/mutate", MUTATED),
  judges("admission", "/validate", VALID),
  judges("mutate", "/", MUTATED),
  judges("mutate", "/mutate", MUTATED),
  judges("mutate", "/validate", undefined),
  judges("validate", "/", VALID),
  judges("validate", "/validate", VALID),
  judges("validate", "/mutate", undefined),
  // It sends, and takes nothing.
  {
    deployable: "source",
    path: "/",
    state: "empty",
    cells: { event: REFUSED, tick: REFUSED, review: REFUSED, nonsense: REFUSED, look: REFUSED },
  },
  {
    deployable: "resync",
    path: "/",
    state: "bare",
    cells: {
      event: { status: 204, does: (keys) => keys.map((key) => `SEND ${key}`) },
      tick: { status: 204, does: swept },
      review: REFUSED,
      nonsense: REFUSED,
      look: ONLY_POST,
    },
  },
  // Whoever knocks: a run is a run.
  {
    deployable: "certify",
    path: "/",
    state: "bare",
    cells: {
      event: { status: 204, does: certified },
      tick: { status: 204, does: certified },
      review: REFUSED,
      nonsense: REFUSED,
      look: ONLY_POST,
    },
  },
];
