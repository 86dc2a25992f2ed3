import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import { kubeCluster } from "../../../functions/shared/kube/kube-cluster.ts";
import { deadlineIn } from "../../../functions/shared/kube/deadline.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { reader } from "../../../functions/shared/kube/reader.ts";
import { figure, median } from "../figure.ts";
import { bareClient } from "./bare-client.ts";
import { NAMESPACE } from "./scene.ts";
import type { Scene } from "./scene.ts";

const CALL_MS = 8_000;
/** The first calls of each side are not counted: code that is not yet compiled. */
const WARM_UP = 50;

type Side = { readonly get: () => Promise<unknown>; readonly apply: (turn: number) => Promise<unknown> };

const configMap = (name: string, turn: number) => ({
  apiVersion: "v1" as const,
  kind: "ConfigMap" as const,
  metadata: { name, namespace: NAMESPACE },
  data: { text: "x".repeat(1000), turn: `${turn}` },
});

const path = (name: string): string => `/api/v1/namespaces/${NAMESPACE}/configmaps/${name}`;

/** Both sides read and write a ConfigMap of their own, of the same size, and parse what they read. */
const sidesOf = async ({ env, cluster }: Scene) => {
  const api = apiServer(readAccess(env));
  const bare = await bareClient(env);
  const query = "fieldManager=bench&force=true";
  for (const name of ["ours", "bare"]) await bare.apply(`${path(name)}?${query}`, configMap(name, 0));
  const jsonpath = ["-o", "jsonpath={.metadata.uid}"];
  const uid = await cluster.kubectl(["get", "configmap", "ours", "-n", NAMESPACE, ...jsonpath]);
  const ours: Side = {
    get: () => reader(api, deadlineIn(CALL_MS)).get("ConfigMap", "ours", NAMESPACE),
    apply: (turn) =>
      kubeCluster(api, deadlineIn(CALL_MS)).carryOut(
        { do: "apply", object: configMap("ours", turn), uid },
        "bench",
      ),
  };
  const theirs: Side = {
    get: () => bare.get(path("bare")),
    apply: (turn) => bare.apply(`${path("bare")}?${query}`, configMap("bare", turn)),
  };
  const close = (): void => {
    api.close();
    bare.close();
  };
  return { ours, theirs, close };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** Median milliseconds of either side, call by call in turn. */
const pairs = async (
  calls: number,
  ours: (turn: number) => Promise<unknown>,
  theirs: (turn: number) => Promise<unknown>,
): Promise<readonly [number, number]> => {
  const took: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
  for (let turn = 1; turn <= WARM_UP + calls; turn += 1) {
    const order = [["ours", ours] as const, ["theirs", theirs] as const];
    for (const [side, call] of turn % 2 === 0 ? order : order.toReversed()) {
      const ms = await timed(() => call(turn));
      if (turn > WARM_UP) took[side].push(ms);
    }
  }
  return [median(took.ours), median(took.theirs)];
};

const text = ([our, bare]: readonly [number, number]): string =>
  `ours ${our.toFixed(2)} ms, bare ${bare.toFixed(2)} ms`;

/** GETs and server-side applies on kept connections: our client against bare node:https. */
export const warm = async (scene: Scene, calls: number, say: (line: string) => void): Promise<void> => {
  const { ours, theirs, close } = await sidesOf(scene);
  const get = await pairs(calls, ours.get, theirs.get);
  const apply = await pairs(calls, ours.apply, theirs.apply);
  close();
  say(`warm GET: ${text(get)}; apply: ${text(apply)}`);
  figure("client-get-ratio", get[0] / get[1], "at-most-1.2");
  figure("client-apply-ratio", apply[0] / apply[1], "at-most-1.2");
};
