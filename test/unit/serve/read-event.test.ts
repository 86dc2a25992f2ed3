import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Malformed, readEvent } from "../../../functions/shared/serve/read-event.ts";

type Recorded = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
const recorded: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync(new URL("../../fixtures/knative-events.json", import.meta.url), "utf8"),
);

const ce = {
  "ce-id": "1",
  "ce-specversion": "1.0",
  "ce-type": "dev.sampledb.source.changed",
  "ce-source": "/sampledb.dev",
};
const json = { "content-type": "application/json" };
const structured = { "content-type": "application/cloudevents+json" };
const whole = { specversion: "1.0", id: "1", type: "t", source: "/s" };

describe("readEvent", () => {
  for (const [name, { headers, body }] of Object.entries(recorded)) {
    const isEvent = "ce-id" in headers;
    it(`${isEvent ? "reads" : "refuses"} what Knative really sent: ${name}`, () => {
      if (!isEvent) {
        assert.throws(() => readEvent(headers, body), Malformed);
        return;
      }
      const event = readEvent(headers, body);
      assert.deepEqual(
        { id: event?.id, type: event?.type, kind: event?.["kind"], data: event?.data },
        {
          id: headers["ce-id"],
          type: headers["ce-type"],
          kind: headers["ce-kind"],
          data: JSON.parse(body),
        },
      );
    });
  }

  it("reads an event without data", () => {
    assert.equal(readEvent({ ...ce, "ce-kind": "SampleDB" }, "")?.["kind"], "SampleDB");
  });
  it("reads structured mode", () => {
    const event = readEvent(structured, JSON.stringify({ ...whole, kind: "SampleDB", data: { a: 1 } }));
    assert.deepEqual([event?.id, event?.["kind"], event?.data], ["1", "SampleDB", { a: 1 }]);
  });
  it("does not mind how the content type is written", () => {
    const headers = { "content-type": "Application/CloudEvents+JSON; charset=UTF-8" };
    assert.equal(readEvent(headers, ` ${JSON.stringify(whole)}`)?.id, "1");
    assert.equal(readEvent({ ...ce, "content-type": "application/json; charset=UTF-8" }, " {}")?.id, "1");
  });
  it("takes a bare POST for a tick", () => {
    assert.equal(readEvent({ "user-agent": "cron" }, ""), undefined);
  });

  const malformed: readonly {
    readonly name: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }[] = [
    { name: "bad JSON", headers: { ...ce, ...json }, body: "{" },
    { name: "bad structured JSON", headers: structured, body: "{" },
    { name: "no CloudEvent at all", headers: json, body: "{}" },
    { name: "another content type", headers: { ...ce, "content-type": "text/plain" }, body: "x" },
    { name: "a body without content type", headers: ce, body: "{}" },
    { name: "a content type without body", headers: { ...ce, ...json }, body: "" },
    {
      name: "a form's content type without body",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "",
    },
    { name: "an unknown specversion", headers: { ...ce, ...json, "ce-specversion": "2.0" }, body: "{}" },
    {
      name: "no specversion",
      headers: { "ce-id": "1", "ce-type": "t", "ce-source": "s", ...json },
      body: "{}",
    },
    {
      name: "no type",
      headers: { "ce-id": "1", "ce-specversion": "1.0", "ce-source": "s", ...json },
      body: "{}",
    },
    { name: "no id", headers: { ...ce, "ce-id": "", ...json }, body: "{}" },
    {
      name: "a structured event without id",
      headers: structured,
      body: JSON.stringify({ ...whole, id: undefined }),
    },
    {
      name: "a structured event of unknown specversion",
      headers: structured,
      body: JSON.stringify({ ...whole, specversion: "9" }),
    },
    {
      name: "a batch",
      headers: { "content-type": "application/cloudevents-batch+json" },
      body: JSON.stringify([whole]),
    },
    { name: "a list in structured mode", headers: structured, body: JSON.stringify([whole]) },
  ];
  for (const { name, headers, body } of malformed) {
    it(`refuses ${name}`, () => {
      assert.throws(() => readEvent(headers, body), Malformed);
    });
  }
});
