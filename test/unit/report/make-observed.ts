import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Event, Pod } from "../../../functions/shared/kube/kinds.ts";
import type { Observed } from "../../../functions/shared/kube/observed.ts";
import type { PlanContext } from "../../../functions/shared/kube/reconcile-function.ts";
import { diagnose } from "../../../functions/report/diagnose.ts";
import type { Finding } from "../../../functions/report/finding.ts";
import { type ReportReads, type Situation, situationOf } from "../../../functions/report/situation.ts";
import {
  makeClaim,
  makeConfigMap,
  makeJob,
  makePod,
  makePodDisruptionBudget,
  makeSecret,
  makeService,
  makeStatefulSet,
} from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

type Objects = Observed<ReportReads>["objects"];
type Context = Pick<PlanContext, "catalog" | "now" | "refused">;

/** What a case changes of a world where `orders` is ready. */
export type Change = {
  readonly sampledb?: Observed["sampledb"];
  readonly objects?: Partial<Objects>;
  readonly context?: Partial<Context>;
};

/** Every child of a ready `orders`. */
const readyObjects: Objects = {
  Secret: [makeSecret("orders"), makeSecret("orders-superuser")],
  ConfigMap: [makeConfigMap()],
  Service: [makeService("orders"), makeService("orders-headless")],
  PersistentVolumeClaim: [makeClaim()],
  StatefulSet: [makeStatefulSet()],
  PodDisruptionBudget: [makePodDisruptionBudget()],
  Job: [makeJob()],
  Pod: [makePod()],
  StorageClass: [],
  Event: [],
  InitSource: [],
};

export const makeContext = (change: Partial<Context> = {}): Context => ({
  catalog: BUILT_IN_CATALOG,
  now: new Date("2026-01-01T01:00:00.123Z"),
  refused: [],
  ...change,
});

export const makeObserved = (change: Change = {}): Observed<ReportReads> => ({
  key: { namespace: "shop", name: "orders" },
  sampledb: "sampledb" in change ? change.sampledb : makeSampleDB(),
  objects: { ...readyObjects, ...change.objects },
});

const makeSituation = (change: Change = {}): Situation =>
  situationOf(change.sampledb ?? makeSampleDB(), makeObserved(change).objects, makeContext(change.context));

export const findingIn = (change: Change): Finding | undefined => diagnose(makeSituation(change));

type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

/** The database's pod, not ready, with this state of its container. */
export const makePodWith = (container: Partial<ContainerStatus>): Pod =>
  makePod({
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "False" }],
      containerStatuses: [
        {
          name: "postgresql",
          image: "registry.example.com/postgres:17",
          imageID: "",
          ready: false,
          started: false,
          restartCount: 0,
          ...container,
        },
      ],
    },
  });

/** An Event about the object with this uid. */
export const makeEvent = (uid: string, reason: string, message: string, lastTimestamp?: string): Event => ({
  metadata: { name: `event-${reason}` },
  involvedObject: { uid },
  reason,
  message,
  lastTimestamp: lastTimestamp ?? "2026-01-01T00:30:00Z",
});
