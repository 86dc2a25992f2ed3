import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ProxiedCall, Verdict } from "../../support/delivery/api-proxy.ts";
import { conditionOf } from "../../support/delivery/change.ts";
import { until } from "../../support/until.ts";
import { DirectScene, type Place, type Send } from "./direct-scene.ts";
import { allChildren } from "./world.ts";

/** Whose passes fail. It is part of no other name. */
const BAD = "ledger";
const OTHERS = ["orders", "billing", "tickets"] as const;
const DEADLINE_MS = 8000;
/** Six passes and their pauses: what a pass that is delivered again would cost. */
const RETRIES_MS = 6 * DEADLINE_MS;

const never = new Promise<never>(() => undefined);

const isOfBad = ({ path, body }: ProxiedCall): boolean => `${path}${body}`.includes(BAD);
const isWrite = ({ method }: ProxiedCall): boolean => method !== "GET";
const hang: Verdict = { do: "pass", when: () => never };
const pass: Verdict = { do: "pass" };

const TROUBLES: readonly {
  readonly what: string;
  readonly namespace: string;
  readonly judge: (call: ProxiedCall) => Verdict;
  /** Whether its passes run into their deadline. */
  readonly hangs: boolean;
}[] = [
  {
    what: "whose children are refused",
    namespace: "refused",
    judge: (call) =>
      isWrite(call) && isOfBad(call) && !call.path.includes("/sampledbs/")
        ? { do: "answer", status: 403 }
        : pass,
    hangs: false,
  },
  {
    what: "of which no write is ever answered",
    namespace: "unwritten",
    judge: (call) => (isWrite(call) && isOfBad(call) ? hang : pass),
    hangs: true,
  },
  {
    what: "of which no call is ever answered",
    namespace: "silent",
    judge: (call) => (isOfBad(call) ? hang : pass),
    hangs: true,
  },
];

const hasAllChildren = ({ picture }: Place, name: string): boolean =>
  picture.childrenOf(name).filter(({ kind }) => kind !== "Pod").length === allChildren(name).length;

const ofBad = (sends: readonly Send[]): readonly Send[] => sends.filter(({ name }) => name === BAD);

/** Sends that were not the only one of their event, or not answered 204. */
const notDoneAtOnce = (sends: readonly Send[]): readonly Send[] => {
  const answered = sends.filter(({ answer }) => answer !== undefined);
  const byLabel = Map.groupBy(answered, ({ label }) => label);
  return answered.filter(({ label, answer }) => answer !== 204 || byLabel.get(label)?.length !== 1);
};

const createsAll = async ({ user, sends }: Place): Promise<void> => {
  await user.act(BAD, { do: "create", spec: {} });
  await until("the event of the bad one to be sent", () => ofBad(sends).length > 0);
  for (const name of OTHERS) await user.act(name, { do: "create", spec: {} });
};

describe("one SampleDB whose passes always fail, under Knative's source", { concurrency: true }, () => {
  let scene: DirectScene;
  before(async () => {
    scene = await DirectScene.start();
  });
  after(() => scene.stop());

  for (const { what, namespace, judge, hangs } of TROUBLES) {
    it(`costs the others one pass an event and no retries: one ${what}`, async (t) => {
      await using place = await scene.place(namespace, judge);
      await createsAll(place);
      for (const name of OTHERS) await until(`children of ${name}`, () => hasAllChildren(place, name));
      const { sends } = place;
      assert.deepEqual(notDoneAtOnce(sends), []);
      const bad = ofBad(sends);
      const longest = Math.max(...bad.map(({ ms = 0 }) => ms));
      t.diagnostic(`${bad.length} events of it, the longest ${Math.round(longest)} ms`);
      // On a slow machine another may take long as well.
      if (hangs) assert.ok(longest > DEADLINE_MS / 2, `${longest} ms`);
      assert.ok(longest < RETRIES_MS / 2, `${longest} ms`);
    });
  }

  it("is told in its status where it is refused", async () => {
    const { judge } = TROUBLES[0] ?? assert.fail();
    await using place = await scene.place("told", judge);
    await place.user.act(BAD, { do: "create", spec: {} });
    const reason = (): unknown => conditionOf(place.picture.get("SampleDB", BAD), "Stalled")?.["reason"];
    await until("its condition", () => reason() === "CreateRefused");
  });
});
