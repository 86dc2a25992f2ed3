import { setTimeout as wait } from "node:timers/promises";
import { SHORT, create } from "./creates.ts";
import type { Scene } from "./scene.ts";
import { startServer } from "./server.ts";
import type { Server } from "./server.ts";
import type { Side } from "./sides.ts";

/** A side on which objects can be created, with its webhook where it has one. */
export type Running = { readonly side: Side; readonly server: Server | undefined };

type Filled = { readonly spec: { readonly database?: unknown } };

const isFilled = (value: unknown): value is Filled =>
  typeof value === "object" &&
  value !== null &&
  Object.hasOwn(Object(Reflect.get(value, "spec")), "database");

const untilFilledIn = async ({ clients }: Scene, side: Side): Promise<void> => {
  while (!isFilled(await create(clients.one, side, SHORT))) await wait(50);
};

/** Starts every side's webhook, installs all of them, and waits until the API server asks them. */
export const installed = async (
  scene: Scene,
): Promise<AsyncDisposable & { readonly running: readonly Running[] }> => {
  const running: Running[] = [];
  for (const side of scene.sides)
    running.push({ side, server: side.program && (await startServer(side.program)) });
  const items = scene.sides.flatMap(({ webhooks }) => webhooks);
  await scene.cluster.kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "List", items }),
  );
  for (const { side } of running) if (side.program !== undefined) await untilFilledIn(scene, side);
  return {
    running,
    [Symbol.asyncDispose]: async () => {
      for (const { server } of running) await server?.[Symbol.asyncDispose]();
    },
  };
};
