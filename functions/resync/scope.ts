import { keysOf } from "../shared/api/keys-of.ts";

/** What to visit: everything, a namespace, or one SampleDB. */
export type Scope = { readonly namespace?: string; readonly name?: string };

/** The words that were given name nothing that could be visited. The message is for the user. */
export class WrongScope extends Error {}

const isKey = (namespace: string, name: string): boolean =>
  keysOf({ kind: "SampleDB", namespace, name, data: undefined }).length === 1;

/** Reads `namespace` or `namespace/name`; undefined is everything. Throws WrongScope. */
export const readScope = (text: string | undefined): Scope => {
  if (text === undefined) return {};
  const [namespace = "", name, ...more] = text.split("/");
  if (more.length > 0 || !isKey(namespace, name ?? "any")) {
    throw new WrongScope(
      `The scope ${JSON.stringify(text)} names nothing: give a namespace ("shop"), a namespace and a SampleDB ("shop/orders"), or no scope for everything.`,
    );
  }
  return name === undefined ? { namespace } : { namespace, name };
};
