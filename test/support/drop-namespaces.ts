import { sharedNode } from "./shared-node.ts";

/** Lets namespaces of the shared node go, without waiting: what runs in them would take from the tests to come. */
export const dropNamespaces = async (...names: readonly string[]): Promise<void> => {
  const { kubectl } = await sharedNode();
  await kubectl(["delete", "namespace", ...names, "--ignore-not-found", "--wait=false"]);
};
