import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { whyNoNode } from "../support/cluster/require-host.ts";
import { run } from "../support/cluster/run.ts";
import { ensureDebianPackages } from "../support/debian-packages.ts";
import { diskFolder } from "../support/images/disk-folder.ts";
import { type Registry, startRegistry } from "../support/images/registry.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const DIGEST = /sha256:[a-f0-9]{64}/u;

/** A buildah with a storage of its own, and no configuration of the machine's. */
const buildahIn = (folder: string): string => `#!/bin/sh
command=$1
case $command in --*) exec /usr/bin/buildah "$@" ;; esac
shift
exec unshare --mount --propagation private /usr/bin/buildah --root ${folder}/storage --runroot ${folder}/run --storage-driver vfs \\
  "$command" --signature-policy ${folder}/policy.json "$@"
`;

type Said = { readonly code: number; readonly out: string; readonly err: string };

describe("npm run image", { skip: whyNoNode() ?? false }, () => {
  let folder: string;
  let registry: Registry;
  const buildah = (...args: readonly string[]): Promise<string> =>
    run([path.join(folder, "bin/buildah"), ...args], { env: env() });
  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PATH: `${folder}/bin:${process.env["PATH"] ?? ""}`,
    TMPDIR: folder,
    CONTAINERS_REGISTRIES_CONF: path.join(folder, "registries.conf"),
    BUILDAH_ISOLATION: "chroot",
    INIT_CWD: folder,
  });
  const image = async (...args: readonly string[]): Promise<Said> => {
    const child = spawn("sh", ["deploy/run.sh", "deploy/image.ts", "--tool", "buildah", ...args], {
      cwd: ROOT,
      env: env(),
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const code = await new Promise<number>((resolve) => child.once("close", (exit) => resolve(exit ?? 1)));
    return { code, out, err };
  };
  /** Where the registry has an image under this digest. */
  const head = (name: string, digest: string): Promise<Response> =>
    fetch(`http://${registry.host}/v2/${name}/manifests/${digest}`, {
      method: "HEAD",
      headers: {
        accept:
          "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json",
      },
    });
  /** The command is about building, pushing and noting: what the image is built on does not matter to it. */
  const small = ["--built", "--base", "localhost/watchdog:1", "--watchdog", "localhost/watchdog:1"];

  before(async () => {
    await ensureDebianPackages(["buildah", "util-linux"]);
    if (!existsSync(path.join(ROOT, "dist/reconcile.mjs")))
      await run(["npm", "run", "--silent", "build"], { cwd: ROOT });
    folder = await diskFolder("sampledb-image-command-");
    await mkdir(path.join(folder, "bin"));
    await writeFile(path.join(folder, "bin/buildah"), buildahIn(folder), { mode: 0o755 });
    await writeFile(path.join(folder, "policy.json"), '{"default":[{"type":"insecureAcceptAnything"}]}');
    await writeFile(path.join(folder, "registries.conf"), "");
    await mkdir(path.join(folder, "watchdog"));
    await writeFile(path.join(folder, "watchdog/fwatchdog"), "", { mode: 0o755 });
    await writeFile(path.join(folder, "watchdog/Dockerfile"), "FROM scratch\nCOPY fwatchdog /fwatchdog\n");
    await buildah("build", "--quiet", "-t", "localhost/watchdog:1", path.join(folder, "watchdog"));
    registry = await startRegistry();
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("pushes both images and notes them by the digests under which the registry has them, beside what was noted", async () => {
    await mkdir(path.join(folder, "ops"));
    const kustomization = path.join(folder, "ops/kustomization.yaml");
    await writeFile(kustomization, "# Ours.\nnamespace: databases\nimages: [{name: other, newTag: '1'}]\n");
    const { code, out, err } = await image(
      ...small,
      "--openfaas",
      "--insecure",
      "--push",
      registry.host,
      "--write",
      "ops",
    );
    assert.equal(code, 0, err);
    const noted = await readFile(kustomization, "utf8");
    assert.match(noted, /^# Ours\.\nnamespace: databases\n/u);
    assert.match(noted, /name: other/u);
    const references = out.trim().split("\n").slice(-2);
    for (const [index, name] of ["sampledb/functions", "sampledb/functions-openfaas"].entries()) {
      const [repository, digest = ""] = (references[index] ?? "").split("@");
      assert.equal(repository, `${registry.host}/${name}`);
      const answer = await head(name, digest);
      assert.equal(answer.status, 200, digest);
      assert.equal(answer.headers.get("docker-content-digest"), digest);
      assert.ok(noted.includes(digest), noted);
    }
    assert.equal((await head("sampledb/functions", `sha256:${"0".repeat(64)}`)).status, 404);
  });

  it("says what it would do, and does nothing", async () => {
    const { code, out } = await image(
      ...small,
      "--openfaas",
      "--push",
      registry.host,
      "--tag",
      "dry",
      "--dry-run",
    );
    assert.equal(code, 0);
    assert.match(
      out,
      /buildah build -f .*functions\/Dockerfile -t 127\.0\.0\.1:\d+\/sampledb\/functions:dry/u,
    );
    assert.equal((await head("sampledb/functions", "dry")).status, 404);
  });

  it("says what a registry says that does not take it", async () => {
    const { code, err, out } = await image(...small.slice(0, 3), "--push", "127.0.0.1:1", "--insecure");
    assert.equal(code, 1);
    assert.match(
      err,
      /^127\.0\.0\.1:1\/sampledb\/functions:\S+ cannot be pushed: [\s\S]*refused[\s\S]*buildah login/u,
    );
    assert.doesNotMatch(out, DIGEST);
  });
});
