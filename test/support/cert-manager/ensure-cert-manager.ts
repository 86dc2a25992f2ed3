import { existsSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../cluster/compile.ts";
import { binariesFolder, pinsFolder } from "../cluster/pins.ts";
import type { Unit } from "../cluster/pins.ts";
import { run } from "../cluster/run.ts";

const CERT_MANAGER: Unit = {
  name: "cert-manager",
  module: "cert-manager",
  packages: ["."],
  level: "api",
  binaries: ["cert-manager"],
};

/** cert-manager's own controllers, compiled from its pinned module, and the CRDs that come with it. */
export type CertManager = {
  /** `binary controller KUBECONFIG` or `binary cainjector KUBECONFIG`. */
  readonly binary: string;
  /** Files to apply. */
  readonly crds: readonly string[];
};

const CRDS = ["certificaterequests", "certificates", "clusterissuers", "issuers"];

/** Compiles it once into the cache: two minutes on two cores, beside what the cluster's compile left in Go's own cache. */
export const ensureCertManager = async (): Promise<CertManager> => {
  const folder = binariesFolder("cert-manager", [CERT_MANAGER]);
  await compile([CERT_MANAGER], folder, (line) => process.stderr.write(`${line}\n`));
  const list = [
    "go",
    "list",
    "-mod=readonly",
    "-m",
    "-f",
    "{{.Dir}}",
    "github.com/cert-manager/cert-manager",
  ];
  const where = { cwd: join(pinsFolder, "cert-manager"), env: { ...process.env, GOWORK: "off" } };
  let source = (await run(list, where)).trim();
  // Go's cache of modules may have been emptied while the binary was kept.
  if (!existsSync(source)) {
    await run(["go", "mod", "download", "github.com/cert-manager/cert-manager"], where);
    source = (await run(list, where)).trim();
  }
  return {
    binary: join(folder, "cert-manager"),
    crds: CRDS.map((plural) => join(source, "deploy/crds", `cert-manager.io_${plural}.yaml`)),
  };
};
