import { after } from "node:test";
import { type LocalCluster, startCluster } from "./cluster/index.ts";
import { applyFunctions, functionsReady } from "./deploy/deploy.ts";
import type { Kubectl } from "../../deploy/shared/kubectl.ts";
import { localImages } from "./deploy/local-images.ts";

const progress = (line: string): void => void process.stderr.write(`${line}\n`);

const start = async (): Promise<LocalCluster> => {
  const { archives, deployment } = await localImages(progress);
  const cluster = await startCluster({ level: "node", images: archives, onProgress: progress });
  const kubectl: Kubectl = (args, input) => cluster.kubectl(args, input);
  try {
    await applyFunctions(kubectl, deployment);
    await functionsReady(kubectl);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
};

let shared: Promise<LocalCluster> | undefined;

after(async () => {
  const cluster = await shared?.catch(() => undefined);
  await cluster?.stop();
});

/** A node with SampleDB's functions in it, started once for every test file of the process and stopped after the last test. */
export const sharedNode = (): Promise<LocalCluster> => (shared ??= start());
