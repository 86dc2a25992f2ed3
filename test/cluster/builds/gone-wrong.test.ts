import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { withWorkloads } from "../../support/builds/build.ts";
import type { Build } from "../../support/builds/build.ts";
import { CHECKS } from "../../support/builds/checks/index.ts";
import { PLANS } from "../../support/builds/plans.ts";
import { buildOf } from "../../support/builds/render-plan.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { WRONG_ON_KUBERNETES } from "./wrong-on-kubernetes.ts";
import { WRONG_ON_PLATFORMS } from "./wrong-on-platforms.ts";
import type { Row } from "./wrong-row.ts";

const ROWS: readonly Row[] = [...WRONG_ON_KUBERNETES, ...WRONG_ON_PLATFORMS];

const without = (build: Build, object: string, change: Row[2]): Build => {
  let isFound = false;
  const changed = (all: readonly KubeObject[]): readonly KubeObject[] =>
    all.flatMap((each) => {
      if (`${each.kind} ${each.metadata.name}` !== object) return [each];
      isFound = true;
      const text = JSON.stringify(each);
      assert.ok(change === undefined || text.includes(change[0]), `${object} has ${change?.[0]}`);
      const other: KubeObject | undefined = change && JSON.parse(text.replaceAll(change[0], change[1]));
      return other === undefined ? [] : [other];
    });
  const wrong = { ...build, objects: changed(build.objects), made: changed(build.made) };
  assert.ok(isFound, object);
  return withWorkloads(wrong);
};

describe("a build that has gone wrong", () => {
  const builds = new Map<string, Build>();

  before(async () => {
    const kubectl = await offlineKubectl();
    for (const plan of PLANS.filter(({ name }) => ROWS.some(([wanted]) => wanted === name)))
      builds.set(plan.name, await buildOf(kubectl, plan));
  });

  for (const [plan, object, change, check, says] of ROWS) {
    const how = change === undefined ? "is gone" : `says ${change[1]} for ${change[0]}`;
    it(`is found by the ${check}, by object and field: ${object} ${how} (${plan})`, () => {
      const build = builds.get(plan);
      assert.ok(build !== undefined, plan);
      const found = CHECKS[check]?.(without(build, object, change)) ?? [];
      assert.ok(
        found.some((sentence) => says.test(sentence)),
        `${String(says)} in\n${found.join("\n")}`,
      );
    });
  }

  it("is found by each of the checks", () => {
    assert.deepEqual(
      Object.keys(CHECKS).filter((name) => !ROWS.some(([, , , check]) => check === name)),
      [],
    );
  });
});
