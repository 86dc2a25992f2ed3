import assert from "node:assert/strict";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { componentsFor } from "../../../deploy/shared/components.ts";
import type { Component } from "../../../deploy/shared/components.ts";
import { layersFor } from "../../../deploy/shared/layers.ts";

const component = (name: string): Component => {
  const found = componentsFor("knative").get(name);
  assert.ok(found !== undefined, name);
  return found;
};

const listed = (components: readonly Component[], namespace?: string): readonly (readonly string[])[] =>
  layersFor({ platform: "knative", namespace, components }, "/srv/sampledb").map(({ wanted }) =>
    (wanted.components ?? []).map((path) => basename(path)),
  );

describe("the layers of a choice on Knative", () => {
  const chosen = ["internal-ingress", "oidc"].map((name) => component(name));

  it("have a component for the gateway where the gateway is, in a namespace of the user's", () => {
    assert.deepEqual(listed(chosen, "databases"), [["oidc"], ["internal-ingress"]]);
    assert.deepEqual(listed([component("oidc")], "databases"), [["oidc"], []]);
  });

  it("are one in the overlay's own namespace", () => {
    assert.deepEqual(listed(chosen), [["internal-ingress", "oidc"]]);
    assert.deepEqual(listed(chosen, "sampledb-system"), [["internal-ingress", "oidc"]]);
  });
});
