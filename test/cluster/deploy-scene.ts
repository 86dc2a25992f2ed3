import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { providerObjects } from "../support/openfaas/provider-objects.ts";
import { stackFunctions } from "../support/openfaas/stack.ts";
import type { Kubectl } from "../../deploy/shared/kubectl.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";

const RUNNING = JSON.stringify({
  status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
});

/** A Deployment of somebody else's. */
export const deployment = (
  namespace: string,
  name: string,
  env: Readonly<Record<string, string>> = {},
): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name,
            image: "registry.example.com/x:1",
            env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          },
        ],
      },
    },
  },
});

/** Says of all pods of a namespace that they run, where no kubelet is there to say so, until every Deployment counts one. */
export const runPods = async (kubectl: Kubectl, namespace: string): Promise<void> => {
  const names = async (kind: string, filter: string): Promise<readonly string[]> => {
    const path = `jsonpath={.items[${filter}].metadata.name}`;
    return (await kubectl(["get", kind, "-n", namespace, "-o", path])).split(" ").filter(Boolean);
  };
  const patch = ["-n", namespace, "--subresource=status", "--type=merge", "-p", RUNNING];
  const allRun = async (): Promise<true | undefined> => {
    for (const pod of await names("pods", "*")) await kubectl(["patch", "pod", pod, ...patch]);
    const running = await names("deployments", "?(@.status.readyReplicas)");
    return running.length === (await names("deployments", "*")).length || undefined;
  };
  await waitUntil(allRun, { what: `ready pods in ${namespace}`, timeoutMs: 300_000, everyMs: 200 });
};

/** Puts a faas-cli into a folder that does what a provider would do with the functions, and lists one that is somebody else's. */
export const writeFaasCli = async (folder: string): Promise<void> => {
  const keys: Readonly<Record<string, readonly string[]>> = {
    "sampledb-caller": ["sampledb-caller"],
    "sampledb-admission-tls": ["tls.crt", "tls.key"],
  };
  const functions = stackFunctions("stack.yaml", { SAMPLEDB_IMAGE: "registry.example.com/f:1" });
  const items = Object.entries(functions).map(([name, fn]) => {
    const secrets = Object.fromEntries(fn.secrets.map((secret) => [secret, keys[secret] ?? []]));
    return providerObjects(name, fn, secrets).deployment;
  });
  const file = join(folder, "functions.json");
  await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const script = `#!/bin/sh
set -eu
case $1 in
  list) echo figlet ;;
  deploy) [ "$SAMPLEDB_IMAGE" = registry.example.com/f:1 ] && kubectl apply -f ${file} ;;
  remove) kubectl delete -f ${file} ;;
esac
`;
  await writeFile(join(folder, "faas-cli"), script, { mode: 0o755 });
};
