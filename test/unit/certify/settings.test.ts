import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serverNames, settingsFrom } from "../../../functions/certify/settings.ts";

describe("settings of certify", () => {
  it("needs no more than the namespace", () => {
    const settings = settingsFrom({ POD_NAMESPACE: "shop" });
    assert.deepEqual(settings, { namespace: "shop", service: "admission", port: 443, readyTimeout: 300_000 });
    assert.equal(serverNames(settings)[0], "admission.shop.svc");
  });

  it("is not confused by what Kubernetes sets where there is a Service of admission", () => {
    const links = { ADMISSION_PORT: "tcp://10.96.0.10:443", ADMISSION_SERVICE_PORT: "443" };
    assert.equal(settingsFrom({ POD_NAMESPACE: "shop", ...links }).port, 443);
    assert.equal(settingsFrom({ POD_NAMESPACE: "shop", PORT_OF_ADMISSION: "8443", ...links }).port, 8443);
  });

  it("names the variable that is wrong", () => {
    assert.throws(() => settingsFrom({}), /POD_NAMESPACE/u);
    const wrong = { POD_NAMESPACE: "shop", READY_TIMEOUT_SECONDS: "5m" };
    assert.throws(() => settingsFrom(wrong), /READY_TIMEOUT_SECONDS is "5m"/u);
  });
});
