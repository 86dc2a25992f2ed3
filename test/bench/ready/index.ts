/**
 * From `kubectl apply` to Ready, with SampleDB's functions and by hand, in turn on one node: the same Secrets, claim, StatefulSet and init
 * Job. Usage: node test/bench/ready/index.ts [ROUNDS]
 */
import { type LocalCluster, startCluster } from "../../support/cluster/index.ts";
import { applyFunctions, functionsReady } from "../../support/deploy/deploy.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { localImages } from "../../support/deploy/local-images.ts";
import { figure, median } from "../figure.ts";
import { byHand } from "./by-hand.ts";

const NAMESPACE = "bench";
const CATALOG = { default: "17", latest: "17", images: { "17": "localhost/postgres:17" } };
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

const withFunctions = async (kubectl: Kubectl, name: string): Promise<void> => {
  const sampledb = {
    apiVersion: "sampledb.dev/v1",
    kind: "SampleDB",
    metadata: { name, namespace: NAMESPACE },
  };
  await kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({ ...sampledb, spec: { deletion: { policy: "Wipe" } } }),
  );
  await kubectl(["wait", "-n", NAMESPACE, "--for=condition=Ready", `sampledb/${name}`, "--timeout=120s"]);
};

const handMade = async (kubectl: Kubectl, name: string, objects: string): Promise<void> => {
  await kubectl(["apply", "-f", "-"], objects);
  await kubectl(["wait", "-n", NAMESPACE, "--for=condition=Complete", `job/${name}-init`, "--timeout=120s"]);
  await kubectl([
    "wait",
    "-n",
    NAMESPACE,
    "--for=jsonpath={.status.readyReplicas}=1",
    `statefulset/${name}-1`,
  ]);
};

/** One pair, `functions` first or last by turns; both are removed before the next. */
const round = async (kubectl: Kubectl, number: number): Promise<{ functions: number; hand: number }> => {
  const [ours, theirs] = [`ours-${number}`, `hand-${number}`];
  const objects = byHand(NAMESPACE, theirs, CATALOG);
  const measure = {
    functions: () => timed(() => withFunctions(kubectl, ours)),
    hand: () => timed(() => handMade(kubectl, theirs, objects)),
  };
  const first = number % 2 === 0 ? await measure.functions() : await measure.hand();
  const second = number % 2 === 0 ? await measure.hand() : await measure.functions();
  await kubectl(["delete", "-n", NAMESPACE, "sampledb", ours, "--wait=true"]);
  await kubectl(["delete", "-f", "-", "--wait=true"], objects);
  return number % 2 === 0 ? { functions: first, hand: second } : { functions: second, hand: first };
};

const run = async (
  cluster: LocalCluster,
  deployment: Parameters<typeof applyFunctions>[1],
): Promise<void> => {
  const kubectl: Kubectl = (args, input) => cluster.kubectl(args, input);
  await applyFunctions(kubectl, deployment);
  await functionsReady(kubectl);
  await kubectl(["create", "namespace", NAMESPACE]);
  const rounds = Number(process.argv[2] ?? 6);
  await round(kubectl, 0);
  const added: number[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const { functions, hand } = await round(kubectl, number);
    say(`round ${number}: functions ${functions.toFixed(2)} s, by hand ${hand.toFixed(2)} s`);
    added.push(functions - hand);
  }
  figure("apply-to-ready-added-seconds", median(added), "at-most-2");
};

const { archives, deployment } = await localImages(say);
await using cluster = await startCluster({ level: "node", images: archives, onProgress: say });
await run(cluster, deployment);
