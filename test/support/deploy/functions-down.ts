import type { LocalCluster } from "../cluster/index.ts";
import { waitUntil } from "../cluster/wait-until.ts";
import { SYSTEM_NAMESPACE } from "./deploy.ts";

const IN = ["-n", SYSTEM_NAMESPACE];

/** Ends every pod of these Deployments and pauses the timer; gives what starts them again and waits until they are ready. */
export const functionsDown = async (
  cluster: LocalCluster,
  replicas: Readonly<Record<string, number>>,
): Promise<() => Promise<void>> => {
  const names = Object.keys(replicas);
  const kubectl = (args: readonly string[]): Promise<string> => cluster.kubectl(args);
  const suspend = (isDown: boolean): Promise<string> =>
    kubectl(["patch", "cronjob", "resync", ...IN, "-p", JSON.stringify({ spec: { suspend: isDown } })]);
  const scale = (name: string, count: number): Promise<string> =>
    kubectl(["scale", ...IN, `--replicas=${count}`, `deployment/${name}`]);
  await suspend(true);
  // A sweep that found nobody would rightly log an error.
  const active = ["get", "cronjob", "resync", ...IN, "-o", "jsonpath={.status.active}"];
  await waitUntil(async () => (await kubectl(active)) === "" || undefined, {
    what: "the end of the last sweep",
    timeoutMs: 600_000,
    everyMs: 200,
  });
  await Promise.all(names.map((name) => scale(name, 0)));
  const selector = `app.kubernetes.io/component in (${names.join(",")})`;
  await waitUntil(
    async () => (await kubectl(["get", "pods", ...IN, "-l", selector, "-o", "name"])) === "" || undefined,
    { what: `the end of ${names.join(" and ")}`, timeoutMs: 600_000, everyMs: 200 },
  );
  return async () => {
    await Promise.all(names.map((name) => scale(name, replicas[name] ?? 1)));
    await Promise.all(
      names.map((name) => kubectl(["rollout", "status", ...IN, `deployment/${name}`, "--timeout=600s"])),
    );
    await suspend(false);
  };
};
