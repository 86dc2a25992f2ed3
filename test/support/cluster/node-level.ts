import { request } from "node:http";

import type { ApiClient } from "./api-client.ts";
import type { Binaries } from "./binaries.ts";
import type { ComponentName } from "./local-cluster.ts";
import { nodeName } from "./node-components.ts";
import { applyNodeObjects } from "./node-objects.ts";
import type { Place } from "./place.ts";
import type { Processes } from "./processes.ts";
import { run } from "./run.ts";
import { waitUntil } from "./wait-until.ts";

/** What the node's start needs to know of its cluster. */
export type Node = {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly place: Place;
  readonly processes: Processes;
  readonly api: ApiClient;
  readonly snapshotter: string;
  readonly helperImage: string;
  start(name: ComponentName): Promise<void>;
};

const ctr = ({ binaries, folder, place }: Node, args: readonly string[]): Promise<string> =>
  run(
    place.wrap([
      binaries.path("ctr"),
      `--address=${folder}/containerd/containerd.sock`,
      "--namespace=k8s.io",
      ...args,
    ]),
  );

/** Imports docker-archive tars into the node's containerd. */
export const importImages = async (node: Node, tars: readonly string[]): Promise<void> => {
  for (const tar of tars) {
    await ctr(node, ["images", "import", "--local", `--snapshotter=${node.snapshotter}`, tar]);
  }
};

/** Gives an imported image one more name. */
export const tagImage = async (node: Node, image: string, name: string): Promise<void> => {
  await ctr(node, ["images", "tag", image, name]);
};

/** Starts containerd and waits until it answers. */
export const startContainerd = async (node: Node): Promise<void> => {
  await node.start("containerd");
  const ask = (): Promise<string> => {
    node.processes.assertRunning("containerd");
    return ctr(node, ["version"]);
  };
  await waitUntil(ask, { what: "containerd", timeoutMs: 300_000 });
};

const answersOk = (url: string): Promise<true | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? true : undefined);
    });
    sent.on("timeout", () => sent.destroy(new Error(`${url} does not answer`)));
    sent.on("error", reject);
    sent.end();
  });

/** The API server writes a condition's fields in this order. */
const isReady = (node: unknown): boolean => JSON.stringify(node).includes('"type":"Ready","status":"True"');

const untilNodeReady = async ({ api, processes }: Node): Promise<void> => {
  const ask = async (): Promise<true | undefined> => {
    processes.assertRunning("kubelet");
    return isReady(await api.get(`/api/v1/nodes/${nodeName}`)) ? true : undefined;
  };
  await waitUntil(ask, { what: "the node's readiness", timeoutMs: 300_000 });
};

/** Starts everything that runs pods, on a ready API server, and waits until a pod would find network, DNS and volumes. */
export const startNode = async (node: Node): Promise<void> => {
  const { place, processes } = node;
  await Promise.all(
    (["kube-scheduler", "kubelet", "kube-proxy", "coredns"] as const).map((name) => node.start(name)),
  );
  await applyNodeObjects(node.api, place.address, node.helperImage);
  await node.start("local-path-provisioner");
  const healthy = (name: ComponentName, url: string): Promise<true> =>
    waitUntil(
      () => {
        processes.assertRunning(name);
        return answersOk(url);
      },
      { what: `${name}'s readiness`, timeoutMs: 300_000 },
    );
  await Promise.all([
    untilNodeReady(node),
    healthy("kube-proxy", `http://${place.address}:10256/healthz`),
    healthy("coredns", `http://${place.address}:8181/ready`),
  ]);
  processes.assertRunning("kube-scheduler");
  processes.assertRunning("local-path-provisioner");
};
