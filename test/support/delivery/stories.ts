import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import { pick } from "./chance.ts";
import { FOREIGN_FINALIZER, type ChildName, type Deed, type Gate, type Story, scriptOf } from "./story.ts";

/** What may happen to a SampleDB. */
export const SCENARIOS = [
  "create",
  "edit",
  "load",
  "wipe",
  "recreate",
  "init failure",
  "retain",
  "adopt",
  "child deleted",
  "child edited",
  "foreign finalizer",
  "paused",
  "credentials lost",
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** When the user may act whose deed ends alike at every moment: the more children are just being made, the more there is to go wrong. */
const MOMENTS = ["at once", "begun", "begun", "bound", "ready"] as const;

type Draw = <T>(what: string, from: readonly [T, ...T[]]) => T;

const WIPE: SampleDBSpec = { deletion: { policy: "Wipe" } };
const withMemory = (memory: string): SampleDBSpec => ({ resources: { requests: { memory } } });
const withInit = (name: string): SampleDBSpec => ({
  init: [{ configMapKeyRef: { name: scriptOf(name), key: "init.sql" } }],
});

const at = (when: Gate, deed: Deed): Story["steps"][number] => ({ when, deed });
const create = (spec: SampleDBSpec, when: Gate = "at once") => at(when, { do: "create", spec });

const DELETABLE: readonly [ChildName, ...ChildName[]] = [
  { kind: "Service", suffix: "" },
  { kind: "Service", suffix: "-headless" },
  { kind: "ConfigMap", suffix: "" },
  { kind: "PodDisruptionBudget", suffix: "" },
  { kind: "StatefulSet", suffix: "-1" },
  { kind: "Pod", suffix: "-1-0" },
];

const SPOILT: readonly [Deed, ...Deed[]] = [
  { do: "spoil", child: { kind: "StatefulSet", suffix: "-1" }, patch: { spec: { replicas: 0 } } },
  { do: "spoil", child: { kind: "ConfigMap", suffix: "" }, patch: { data: { "start.sh": "exit 1" } } },
  {
    do: "spoil",
    child: { kind: "Service", suffix: "" },
    patch: { spec: { selector: { "sampledb.dev/instance": "2" } } },
  },
  { do: "spoil", child: { kind: "Secret", suffix: "" }, patch: { data: { port: "MQ==" } } },
];

const madeOf: { readonly [S in Scenario]: (draw: Draw, name: string) => Story } = {
  create: (draw, name) => ({
    steps: draw("script", [true, false])
      ? [at("at once", { do: "script", text: "SELECT 1;" }), create(withInit(name))]
      : [create({})],
    end: "ready",
  }),
  load: () => ({ steps: [create({})], end: "ready" }),
  edit: (draw) => {
    const second = draw("second", [withMemory("300Mi"), { deletion: { policy: "Wipe" as const } }]);
    const when = draw("when", MOMENTS);
    return {
      steps: [
        create({}),
        at(when, { do: "edit", spec: second }),
        at("at once", { do: "edit", spec: withMemory("320Mi") }),
      ],
      end: "ready",
    };
  },
  wipe: (draw) => ({
    steps: [create(WIPE), at(draw("when", MOMENTS), { do: "delete" })],
    end: "gone",
  }),
  recreate: (draw) => ({
    steps: [
      create(WIPE),
      at(draw("when", MOMENTS), { do: "delete" }),
      create({ ...WIPE, ...withMemory("300Mi") }, "gone"),
    ],
    end: "ready",
  }),
  "init failure": (draw, name) => {
    const failing = [at("at once", { do: "script", text: "broken" }), create(withInit(name))];
    return draw("corrected", [true, false])
      ? { steps: [...failing, at("init failed", { do: "script", text: "SELECT 2;" })], end: "ready" }
      : { steps: failing, end: "init failed" };
  },
  retain: () => ({ steps: [create({}), at("ready", { do: "delete" })], end: "kept" }),
  adopt: (draw) => ({
    steps: [
      create({}),
      at(draw("when", ["bound", "ready"] as const), { do: "delete" }),
      create(draw("again", [{}, withMemory("300Mi")]), "gone"),
    ],
    end: "ready",
  }),
  "child deleted": (draw) => ({
    steps: [create({}), at("ready", { do: "remove", child: draw("child", DELETABLE) })],
    end: "ready",
  }),
  "child edited": (draw) => ({ steps: [create({}), at("ready", draw("deed", SPOILT))], end: "ready" }),
  "foreign finalizer": () => ({
    steps: [
      at("at once", { do: "create", spec: WIPE, finalizers: [FOREIGN_FINALIZER] }),
      at("bound", { do: "delete" }),
      at("let go", { do: "release" }),
    ],
    end: "gone",
  }),
  paused: (draw) => ({
    steps: [
      create({ paused: draw("first", [true, false]) }),
      at("at once", { do: "edit", spec: { paused: true, ...withMemory("300Mi") } }),
      at("at once", { do: "edit", spec: { paused: false } }),
    ],
    end: "ready",
  }),
  "credentials lost": (draw) => ({
    steps: [
      create({}),
      at("ready", {
        do: "remove",
        child: { kind: "Secret", suffix: draw("which", ["", "-superuser"]) },
      }),
    ],
    end: "credentials missing",
  }),
};

/** The story of SampleDB `name` under a seed. There are few different ones, so that their serial end is worth keeping. */
export const storyOf = (seed: number, scenario: Scenario, name: string): Story =>
  madeOf[scenario]((what, from) => pick(seed, `story ${name} ${what}`, from), name);
