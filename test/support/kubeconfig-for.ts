import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A kubeconfig file that leads to the API server at `url` (plain HTTP, token `t`), until it is disposed of. */
export const kubeconfigFor = (url: string): Disposable & { readonly file: string } => {
  const folder = mkdtempSync(join(tmpdir(), "sampledb-kubeconfig-"));
  const file = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: url } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  writeFileSync(file, JSON.stringify(config));
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};
