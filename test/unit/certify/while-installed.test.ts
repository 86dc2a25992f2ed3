import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { webhookConfigurations } from "../../../functions/certify/webhook-configurations.ts";
import { whileInstalled } from "../../../functions/certify/while-installed.ts";

const SETTINGS = { namespace: "databases", service: "admission", port: 443, readyTimeout: 1 };

describe("a webhook configuration that is in force while installed", () => {
  const plain = webhookConfigurations(SETTINGS, { name: "sampledb-certify", uid: "1" }, "CA");

  it("asks whether certify may still keep the CA of its namespace, after all other conditions", () => {
    for (const configuration of plain) {
      const [before] = configuration.webhooks;
      const [after, ...more] = whileInstalled(configuration, SETTINGS).webhooks;
      assert.deepEqual(more, []);
      const { matchConditions: earlier, ...rest } = { ...before };
      const { matchConditions, ...same } = { ...after };
      assert.deepEqual(same, rest);
      assert.ok(Array.isArray(earlier) && Array.isArray(matchConditions));
      assert.deepEqual(matchConditions.slice(0, -1), earlier);
      assert.deepEqual(matchConditions.at(-1), {
        name: "is-installed",
        expression:
          "authorizer.serviceAccount('databases', 'certify').group('').resource('secrets')" +
          ".namespace('databases').name('sampledb-ca').check('patch').allowed()",
      });
    }
  });
});
