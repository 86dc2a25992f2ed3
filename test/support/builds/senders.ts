import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { fieldsOf } from "./build.ts";
import type { Build } from "./build.ts";
import { Nowhere, placeOfName, placeOfUrl, unlessNowhere } from "./places.ts";
import type { Place } from "./places.ts";
import { containersOf, whatIs } from "./workload.ts";
import type { Workload } from "./workload.ts";

/** Something that sends, and where to. `from` undefined: Knative sends in its place. */
export type Sending = {
  /** Object and field, for messages. */
  readonly at: string;
  readonly from: Workload | undefined;
  /** What it tells: what changed, or that it is time. */
  readonly tells: "changes" | "a sweep" | "a tick" | "what was not taken";
  readonly place: () => Place;
};

type Ref = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
};

type Trigger = {
  readonly spec: {
    readonly broker: string;
    readonly subscriber: { readonly ref: Ref };
    readonly delivery?: { readonly deadLetterSink?: { readonly ref: Ref } };
  };
};

const triggersOf = (
  { objects }: Build,
  broker: string,
): readonly (readonly [KubeObject, Trigger["spec"]])[] =>
  objects
    .filter(({ kind }) => kind === "Trigger")
    .map((object): readonly [KubeObject, Trigger["spec"]] => {
      const { spec }: Trigger = fieldsOf(object);
      return [object, spec];
    })
    .filter(([, spec]) => spec.broker === broker);

/** To whom a Broker passes on what it gets. */
const placeOfBroker = (build: Build, name: string, from: string): Place => {
  if (!build.objects.some(({ kind, metadata }) => kind === "Broker" && metadata.name === name))
    throw new Nowhere(`there is no Broker ${name}`);
  const places = triggersOf(build, name).map(([, { subscriber }]) => placeOfRef(build, subscriber.ref, from));
  if (places.length === 0) throw new Nowhere(`the Broker ${name} has no Trigger`);
  return { through: "Knative", workloads: places.flatMap(({ workloads }) => workloads), port: 8012 };
};

/** Where a reference leads. */
const placeOfRef = (build: Build, ref: Ref, from: string): Place => {
  const { apiVersion, kind, name, namespace = from } = ref;
  if (kind === "Broker") return placeOfBroker(build, name, from);
  if (kind !== "Service") throw new Nowhere(`nothing is known of where a ${kind} leads`);
  const place = placeOfName(build, `${name}.${namespace}`, 80, from);
  if ((place.through === "Knative") !== apiVersion.startsWith("serving.knative.dev/"))
    throw new Nowhere(`${name} is no Service of ${apiVersion}`);
  return place;
};

const ofWorkload = (build: Build, workload: Workload): readonly Sending[] =>
  containersOf(workload).flatMap(([at, { env = [] }]) =>
    env
      .filter(({ name }) => name === "SINK")
      .flatMap(({ value = "" }) => value.split(",").map((url) => url.trim()))
      .map((url) => ({
        at: `${workload.what}: ${at}.env.SINK: ${url}`,
        from: workload,
        tells: workload.fn === "resync" ? "a sweep" : "changes",
        place: () => placeOfUrl(build, url, workload.namespace),
      })),
  );

const TELLS = { ApiServerSource: "changes", ContainerSource: "changes", PingSource: "a tick" } as const;
const isSource = (kind: string): kind is keyof typeof TELLS => Object.hasOwn(TELLS, kind);

const ofSource = (build: Build, object: KubeObject): readonly Sending[] => {
  const { kind, metadata } = object;
  if (!isSource(kind)) return [];
  const { spec }: { spec: { sink: { ref: Ref } } } = fieldsOf(object);
  const { ref } = spec.sink;
  return [
    {
      at: `${whatIs(object)}: spec.sink.ref: ${ref.kind} ${ref.name}`,
      from: undefined,
      tells: TELLS[kind],
      place: () => placeOfRef(build, ref, metadata.namespace ?? ""),
    },
  ];
};

/** What a Trigger sends, and what it sends elsewhere when that was not taken. */
const ofTrigger = (build: Build, object: KubeObject): readonly Sending[] => {
  if (object.kind !== "Trigger") return [];
  const { spec }: Trigger = fieldsOf(object);
  const { subscriber, delivery, broker } = spec;
  const letters = delivery?.deadLetterSink?.ref;
  const namespace = object.metadata.namespace ?? "";
  return [
    {
      at: `${whatIs(object)}: spec.broker: ${broker}`,
      from: undefined,
      tells: "changes",
      place: () => placeOfBroker(build, broker, namespace),
    },
    {
      at: `${whatIs(object)}: spec.subscriber.ref: ${subscriber.ref.kind} ${subscriber.ref.name}`,
      from: undefined,
      tells: "changes",
      place: () => placeOfRef(build, subscriber.ref, namespace),
    },
    {
      at: `${whatIs(object)}: spec.delivery.deadLetterSink.ref: ${letters?.kind} ${letters?.name}`,
      from: undefined,
      tells: "what was not taken",
      place: () => {
        if (letters === undefined) throw new Nowhere("there is none: what is not taken is lost");
        return placeOfRef(build, letters, namespace);
      },
    },
  ];
};

/** Everything that sends events and sweeps. */
export const sendings = (build: Build): readonly Sending[] => [
  ...build.workloads.flatMap((workload) => ofWorkload(build, workload)),
  ...build.objects.flatMap((object) => [...ofSource(build, object), ...ofTrigger(build, object)]),
];

/** Where each of them leads; one that leads nowhere is left out. */
export const placesOf = (build: Build): readonly (Sending & { readonly to: Place })[] =>
  sendings(build).flatMap((sending) => {
    const to = unlessNowhere(sending.place);
    return to === undefined ? [] : [{ ...sending, to }];
  });
