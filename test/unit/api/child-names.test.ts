import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { childNames, MAX_NAME_LENGTH } from "../../../functions/shared/api/child-names.ts";
import type { ChildNames } from "../../../functions/shared/api/child-names.ts";
import { BUILT_IN_CATALOG as catalog } from "../../../functions/shared/api/catalog.ts";
import { violationsOf } from "../../../functions/shared/api/violations-of.ts";

type Child = {
  readonly kind: string;
  /** What the API server, or a controller, makes of the name and refuses beyond `limit` characters. */
  readonly made: (name: string) => string;
  readonly limit: number;
};

const asIs = (name: string): string => name;
const plain = (kind: string): Child => ({ kind, made: asIs, limit: 253 });
const DNS_LABEL = 63;

/** A new child does not compile without its limit. */
const CHILDREN: Readonly<Record<keyof ChildNames, readonly Child[]>> = {
  service: [{ kind: "Service", made: asIs, limit: DNS_LABEL }],
  headlessService: [{ kind: "Service", made: asIs, limit: DNS_LABEL }],
  configMap: [plain("ConfigMap")],
  podDisruptionBudget: [plain("PodDisruptionBudget")],
  secret: [plain("Secret")],
  superuserSecret: [plain("Secret")],
  claim: [plain("PersistentVolumeClaim")],
  // A Job's name is a label of its pods.
  initJob: [{ kind: "Job", made: asIs, limit: DNS_LABEL }],
  statefulSet: [
    // Host name of the pod, and its label statefulset.kubernetes.io/pod-name.
    { kind: "StatefulSet", made: (name) => `${name}-0`, limit: DNS_LABEL },
    // The pod's label controller-revision-hash: a 32-bit hash in at most ten digits.
    { kind: "StatefulSet", made: (name) => `${name}-${"0".repeat(10)}`, limit: DNS_LABEL },
  ],
};

const isChild = (child: string): child is keyof ChildNames => Object.hasOwn(CHILDREN, child);
const childrenOf = (name: string): readonly (readonly [string, Child])[] =>
  Object.entries(childNames(name)).flatMap(([child, made]: readonly [string, string]) =>
    isChild(child) ? CHILDREN[child].map((each) => [made, each] as const) : [],
  );
const taken = (name: string): ReadonlySet<string> =>
  new Set(childrenOf(name).map(([made, { kind }]) => `${kind} ${made}`));
const isAllowed = (name: string): boolean =>
  violationsOf({ object: { metadata: { name } }, catalog }).length === 0;

describe("the names of children", () => {
  it("stay within every kind's limit for the longest name that is allowed", () => {
    const longest = "o".repeat(MAX_NAME_LENGTH);
    assert.ok(isAllowed(longest));
    const tooLong = childrenOf(longest).filter(([name, { made, limit }]) => made(name).length > limit);
    assert.deepEqual(tooLong, []);
  });

  it("are DNS labels for every name that is allowed", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][-a-z0-9]{0,39}$/u), (name) => {
        fc.pre(isAllowed(name));
        for (const [child] of childrenOf(name)) assert.match(child, /^[a-z]([-a-z0-9]*[a-z0-9])?$/u);
      }),
    );
  });

  it("never meet those of another SampleDB", () => {
    const suffix = fc.constantFrom("", "-1", "-1-1", "-init", "-headless", "-superuser", "-0", "-2");
    const name = fc
      .array(suffix, { maxLength: 3 })
      .map((parts) => `orders${parts.join("")}`)
      .filter(isAllowed);
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        const others = taken(other);
        assert.deepEqual(
          [...taken(one)].filter((child) => others.has(child)),
          [],
        );
      }),
    );
  });
});
