import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { envIn } from "../../support/build/image-env.ts";
import { manifestsIn } from "../../support/kustomize/manifest-files.ts";
import { overlayFile, secondsOf, stackFunctions } from "../../support/openfaas/stack.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const STACKS = ["stack.yaml", "stack-cron-connector.yaml"];
const FUNCTIONS = STACKS.flatMap((file) => Object.entries(stackFunctions(file)));
/** How long a sender waits for its answer. */
const SENDER_SECONDS = 60;
const GRACE_SECONDS = 30;
const PASS_SECONDS = 8;

const { version }: { version: string } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8"));

describe("OpenFaaS' stack", () => {
  it("has admission, reconcile and, for cron-connector, resync", () => {
    assert.deepEqual(
      FUNCTIONS.map(([name]) => name),
      ["sampledb-reconcile", "sampledb-admission", "sampledb-resync"],
    );
  });

  it("takes the image that the user names, everywhere", () => {
    const SAMPLEDB_IMAGE = "registry.example.com/functions:1.2.3";
    for (const file of STACKS)
      for (const { image } of Object.values(stackFunctions(file, { SAMPLEDB_IMAGE })))
        assert.equal(image, SAMPLEDB_IMAGE);
  });

  for (const [name, fn] of FUNCTIONS) {
    const { environment, labels, annotations, image, secrets } = fn;

    it(`${name} runs the bundle of its name, of this release, on a root that nobody can write`, () => {
      const bundle = name.replace("sampledb-", "");
      assert.equal(environment["fprocess"], `node /app/${bundle}.mjs`);
      assert.ok(existsSync(resolve(ROOT, `functions/${bundle}/index.ts`)));
      assert.equal(image, `example.com/sampledb/functions-openfaas:${version}`);
      assert.equal(labels["app.kubernetes.io/component"], bundle);
      assert.equal(annotations["com.openfaas.serviceaccount"], bundle);
      assert.equal(fn.readonly_root_filesystem, true);
    });

    it(`${name} is answered for before anybody gives up, and ends before it is killed`, () => {
      const chart = parse(overlayFile("chart-values.yaml"));
      const order = [
        PASS_SECONDS,
        secondsOf(environment["exec_timeout"] ?? ""),
        secondsOf(environment["write_timeout"] ?? ""),
        secondsOf(chart.faasnetes.writeTimeout),
        secondsOf(chart.gateway.upstreamTimeout),
        secondsOf(chart.gateway.writeTimeout),
        SENDER_SECONDS,
      ];
      for (const [nth, seconds] of order.slice(1).entries())
        assert.ok(seconds > (order[nth] ?? 0), order.join(" < "));
      assert.equal(chart.faasnetes.readTimeout, chart.faasnetes.writeTimeout);
      assert.equal(chart.gateway.readTimeout, chart.gateway.writeTimeout);
      assert.equal(environment["read_timeout"], environment["write_timeout"]);
      const lives = secondsOf(environment["healthcheck_interval"] ?? "");
      assert.equal(lives, 5);
      assert.ok(lives + secondsOf(environment["write_timeout"] ?? "") < GRACE_SECONDS);
      assert.equal(environment["ON_SIGTERM"], "ignore");
    });

    it(`${name} asks for nothing that the community edition refuses`, () => {
      for (const label of ["zero", "zero-duration", "target", "type"])
        assert.ok(!(`com.openfaas.scale.${label}` in labels), label);
      for (const label of ["min", "max"]) assert.ok(Number(labels[`com.openfaas.scale.${label}`]) <= 5, label);
      assert.ok(!(annotations["topic"] ?? "").includes(","));
      // cron-connector ignores what has seconds.
      assert.equal((annotations["schedule"] ?? "* * * * *").split(" ").length, 5);
      for (const value of [...Object.values(labels), ...Object.values(annotations), ...Object.values(environment)])
        assert.equal(typeof value, "string");
    });

    it(`${name} reads only Secrets that it lists`, () => {
      const known: Readonly<Record<string, readonly string[]>> = {
        "sampledb-caller": ["sampledb-caller"],
        // Of a certificate that certify makes.
        "sampledb-admission-tls": ["tls.crt", "tls.key"],
      };
      const files = secrets.flatMap((secret) => known[secret] ?? []).map((key) => `/var/openfaas/secrets/${key}`);
      const read = Object.entries(environment).flatMap(([key, value]) => (key.endsWith("_FILE") ? [value] : []));
      assert.notEqual(read.length, 0);
      assert.deepEqual(read.toSorted(), files.toSorted());
    });
  }

  it("has the watchdog call the function where it listens, but for admission, which has a port of its own", () => {
    for (const [name, { environment }] of FUNCTIONS) {
      assert.equal(environment["mode"], "http");
      const { port } = new URL(environment["http_upstream_url"] ?? "");
      assert.equal(port === environment["PORT"], name !== "sampledb-admission", name);
      assert.ok(!["8080", "8081"].includes(environment["PORT"] ?? ""), "the watchdog's own");
    }
  });

  it("is what the image is made for", () => {
    const dockerfile = overlayFile("Dockerfile");
    const environment = stackFunctions("stack.yaml")["sampledb-reconcile"]?.environment ?? {};
    for (const [name, value] of Object.entries(envIn(dockerfile))) assert.equal(environment[name], value, name);
    assert.match(dockerfile, /^ARG WATCHDOG=ghcr\.io\/openfaas\/of-watchdog:\d+\.\d+\.\d+$/mu);
    assert.match(dockerfile, new RegExp(`^ARG FUNCTIONS=\\S+:${version}$`, "mu"));
    assert.doesNotMatch(dockerfile, /^USER/mu);
  });

  it("mounts the catalog that is in the overlay, where functions look for it", () => {
    const [catalog] = manifestsIn("overlays/kubernetes/catalog.yaml");
    for (const name of ["reconcile", "admission"]) {
      const patch = overlayFile(`patches/${name}.yaml`);
      assert.ok(patch.includes(`configMap: {name: ${catalog?.metadata.name}}`));
      assert.match(patch, /mountPath: \/etc\/sampledb\/catalog,/u);
    }
  });
});
