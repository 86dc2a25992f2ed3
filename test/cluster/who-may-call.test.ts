import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { before, describe, it } from "node:test";
import { ensureBinaries } from "../support/cluster/binaries.ts";
import { run } from "../support/cluster/run.ts";
import { mayConnect } from "../support/kustomize/ingress.ts";
import type { NetworkPod, Port } from "../support/kustomize/ingress.ts";
import { objectsOf, renderOwn } from "../support/kustomize/render.ts";
import type { Rendered } from "../support/kustomize/render.ts";

const OVERLAY = "overlays/kubernetes";
/** Part of every overlay, no choice of the user's. */
const INCLUDED = new Set(["function-pods"]);

type Env = { readonly name: string; readonly value?: string };
type Template = {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly {
      readonly env?: readonly Env[];
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
};
type Spec = { readonly template?: Template; readonly jobTemplate?: { readonly spec?: Spec } };

const templateIn = (object: Rendered): Template | undefined => {
  const { spec }: { spec?: Spec } = JSON.parse(JSON.stringify(object));
  return spec?.template ?? spec?.jobTemplate?.spec?.template;
};

const COMPONENT = "app.kubernetes.io/component";

/** Every pod template of a kustomization, by the name of its Deployment, Job or CronJob. */
const templatesIn = (objects: readonly Rendered[]): ReadonlyMap<string, Template> =>
  new Map(
    objects.flatMap((object) => {
      const template = templateIn(object);
      return template === undefined ? [] : [[object.metadata.name, template] as const];
    }),
  );

const podOf = (labels: Readonly<Record<string, string>>, namespace: string): NetworkPod => ({
  labels,
  namespace,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace },
});

const strangers = (system: string): Readonly<Record<string, NetworkPod | undefined>> => ({
  "the API server": undefined,
  "a neighbour": podOf({}, system),
  // Labels are anybody's in a namespace of their own.
  "a source elsewhere": podOf({ "app.kubernetes.io/part-of": "sampledb", [COMPONENT]: "source" }, "shop"),
  "an application": podOf({}, "shop"),
  metrics: { ...podOf({}, "monitoring"), namespaceLabels: { "sampledb.dev/metrics": "true" } },
});

const UNDECLARED: Port = { name: undefined, number: 9999 };

const portsOf = ({ spec }: Template): readonly Port[] => [
  ...spec.containers.flatMap(({ ports = [] }) =>
    ports.map(({ name, containerPort }) => ({ name, number: containerPort })),
  ),
  UNDECLARED,
];

/** Who may reach what, as `workload:port` with the callers, sorted; a port that nobody may reach is left out. */
const reachable = (objects: readonly Rendered[], system: string): Readonly<Record<string, string>> => {
  const templates = [...templatesIn(objects)];
  const callers = Object.entries({
    ...Object.fromEntries(
      templates.map(([name, { metadata }]) => [name, podOf(metadata?.labels ?? {}, system)]),
    ),
    ...strangers(system),
  });
  const lines = templates.flatMap(([workload, template]) =>
    portsOf(template).map((port): readonly [string, string] => {
      const to = podOf(template.metadata?.labels ?? {}, system);
      const allowed = callers.filter(([, from]) => mayConnect(objects, from, to, port)).map(([name]) => name);
      const all = allowed.length === callers.length ? ["everybody"] : allowed.toSorted();
      return [`${workload}:${port.name ?? port.number}`, all.join(" ")];
    }),
  );
  return Object.fromEntries(lines.filter(([, allowed]) => allowed !== ""));
};

const EVENTS = "metrics resync source";
const GROUPED = { "admission:https": "everybody", "reconcile:http": EVENTS, "source:http": "metrics" };
const ALONE = {
  "admission:https": "everybody",
  "provision:http": EVENTS,
  "initialize:http": EVENTS,
  "retire:http": EVENTS,
  "report:http": EVENTS,
  "source:http": "metrics",
};

/** By component of the manifests, on top of the overlay. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": GROUPED,
  "cert-manager": GROUPED,
  "each-function": ALONE,
  "event-identity": GROUPED,
  "protected-namespaces": GROUPED,
};

const envOf = (template: Template): readonly Env[] => template.spec.containers.flatMap(({ env = [] }) => env);

describe("who may call", () => {
  let kubectl: (args: readonly string[]) => Promise<string>;
  const rendered = async (components: readonly string[], namespace?: string) =>
    objectsOf(
      await renderOwn(kubectl, {
        paths: [OVERLAY, ...components.map((name) => `components/${name}`)],
        ...(namespace !== undefined && { namespace }),
      }),
    );

  before(async () => {
    const binaries = await ensureBinaries("api", () => undefined);
    kubectl = (args) => run([binaries.path("kubectl"), ...args]);
  });

  it("is written down for every component of the manifests", () => {
    const folders = readdirSync(resolve(import.meta.dirname, "../../manifests/components"));
    const chosen = folders.filter((name) => !INCLUDED.has(name));
    assert.deepEqual(
      chosen.filter((name) => EXPECTED[name] === undefined),
      [],
    );
  });

  for (const [component, expected] of Object.entries(EXPECTED)) {
    it(`is this and no more with ${component === "" ? "the overlay alone" : component}`, async () => {
      const objects = await rendered(component === "" ? [] : [component]);
      assert.deepEqual(reachable(objects, "sampledb-system"), expected);
    });
  }

  it("is the same in another namespace", async () => {
    assert.deepEqual(reachable(await rendered([], "databases"), "databases"), GROUPED);
  });

  it("is everybody for a pod that no policy selects", async () => {
    const objects = await rendered([]);
    const newcomer = JSON.parse(
      JSON.stringify(
        objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "source"),
      ),
    );
    newcomer.metadata.name = "newcomer";
    newcomer.spec.template.metadata.labels = { [COMPONENT]: "newcomer" };
    const found = reachable([...objects, newcomer], "sampledb-system");
    assert.equal(found["newcomer:http"], "everybody");
    assert.equal(found["newcomer:9999"], "everybody");
  });

  for (const components of [["event-identity"], ["each-function", "event-identity"]]) {
    it(`with ${components.join(" and ")}: every function that takes events asks for a token, and every sender has one`, async () => {
      for (const [name, template] of templatesIn(await rendered(components))) {
        const env = envOf(template);
        const isReceiver = env.some((each) => each.name === "CATALOG_DIR") && name !== "admission";
        assert.equal(
          env.some((each) => each.name === "OIDC_AUDIENCE"),
          isReceiver,
          name,
        );
        const isSender = env.some((each) => each.name === "SINK");
        assert.equal(
          env.some((each) => each.name === "SINK_TOKEN_FILE"),
          isSender,
          name,
        );
        const names = env.map((each) => each.name);
        // A reference to a variable that is named later is left as it is.
        assert.ok(!isReceiver || names.indexOf("POD_NAMESPACE") < names.indexOf("OIDC_SUBJECTS"), name);
      }
    });
  }
});
