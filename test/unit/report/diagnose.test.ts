import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { tellingLine } from "../../../functions/report/log-lines.ts";
import { makeInitPod, makePod } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { starting } from "./cases.ts";
import { type Change, findingIn, makePodWith } from "./make-observed.ts";

describe("report tells nothing", () => {
  const silent: readonly { readonly name: string; readonly world: Change }[] = [
    { name: "of a database that is ready", world: {} },
    {
      name: "of a ready database that is paused",
      world: { sampledb: makeSampleDB({ spec: { paused: true } }) },
    },
    {
      name: "of an old crash once the container is ready again",
      world: {
        objects: {
          Pod: [
            makePod({
              status: {
                conditions: [{ type: "Ready", status: "True" }],
                containerStatuses: [
                  {
                    name: "postgresql",
                    image: "postgres",
                    imageID: "",
                    ready: true,
                    started: true,
                    restartCount: 7,
                    lastState: { terminated: { exitCode: 64 } },
                  },
                ],
              },
            }),
          ],
        },
      },
    },
    {
      name: "of a failed try once init is done",
      world: { objects: { Pod: [makePod(), makeInitPod({ exitCode: 66, message: "ERROR" })] } },
    },
    {
      name: "of a ready database whose PodDisruptionBudget is just being made again",
      world: { objects: { PodDisruptionBudget: [] } },
    },
  ];
  for (const { name, world } of silent) it(name, () => assert.equal(findingIn(world), undefined));
});

describe("the text for an image that cannot be pulled", () => {
  it("is the same for the error and for the back-off between two tries", () => {
    const error = "rpc error: code = NotFound desc = failed to pull";
    const texts = [error, `Back-off pulling image "x:1": ErrImagePull: ${error}`].map(
      (message) =>
        findingIn({
          objects: starting(makePodWith({ state: { waiting: { reason: "ImagePullBackOff", message } } })),
        })?.message,
    );
    assert.equal(texts[0], texts[1]);
  });
});

describe("the log line that is told", () => {
  const rows: readonly (readonly [name: string, log: string | undefined, want: string | undefined])[] = [
    [
      "is PostgreSQL's fatal error, not its farewell",
      "FATAL:  no\nLOG:  database system is shut down",
      "FATAL:  no",
    ],
    [
      "is what our script says",
      "cat: oops\nsampledb: config-unreadable: it is odd.\n",
      "config-unreadable: it is odd.",
    ],
    ["is the last one of any other log", "one\ntwo\n\n", "two"],
    ["has neither time nor process id", "2026-01-01 00:00:00.123 UTC [42] LOG:  started", "LOG:  started"],
    ["is not there without a log", undefined, undefined],
    ["is not there in an empty log", "\n", undefined],
  ];
  for (const [name, log, want] of rows) it(name, () => assert.equal(tellingLine(log), want));
});
