import assert from "node:assert/strict";
import { objectsIn } from "../../../deploy/shared/rendered.ts";

type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

const FIELDS = "{range .items[*]}{.kind} {.metadata.name} {.metadata.generation}{'\\n'}{end}";

/** Applies manifests twice: the second time changes no object's generation. */
export const assertAppliedAgainChangesNothing = async (
  text: string,
  { kubectl, apply }: { readonly kubectl: Kubectl; readonly apply: (text: string) => Promise<unknown> },
): Promise<void> => {
  const generations = (): Promise<string> => kubectl(["get", "-f", "-", "-o", `jsonpath=${FIELDS}`], text);
  await apply(text);
  const first = await generations();
  assert.equal(first.trim().split("\n").length, objectsIn(text).length);
  await apply(text);
  assert.equal(await generations(), first);
};
