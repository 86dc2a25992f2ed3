import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keysToVisit } from "../../../functions/resync/keys-to-visit.ts";
import { releaseFrom } from "../../../functions/shared/api/release.ts";
import { keyText } from "../../../functions/shared/api/key.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";

type Page = { readonly names: readonly string[]; readonly next?: string };

const expired = (): Fault => new Fault("refused", "expired", { code: 410 });
const down = (): Fault => new Fault("unavailable", "down");
const forbidden = (): Fault => new Fault("refused", "forbidden", { code: 403 });

/** An API server whose SampleDBs come as `page` says (told the continue token and how many lists were begun); all other lists are empty. */
const serving = (
  page: (token: string, begun: number) => Page,
  other: (path: string) => void = () => undefined,
) => {
  const paths: string[] = [];
  let begun = 0;
  const call = (path: string): string => {
    const { pathname, searchParams } = new URL(path, "http://api.example.com");
    paths.push(pathname.split("/").at(-1) ?? "");
    if (!pathname.endsWith("/sampledbs")) {
      other(pathname);
      return JSON.stringify({ items: [] });
    }
    const token = searchParams.get("continue") ?? "";
    if (token === "") begun += 1;
    const { names, next = "" } = page(token, begun);
    const items = names.map((name) => ({ metadata: { namespace: "shop", name } }));
    return JSON.stringify({ metadata: { continue: next }, items });
  };
  const api: ApiServer = {
    call: ({ path }) => Promise.resolve().then(() => call(path)),
    stream: () => Promise.reject(new Error("nothing is watched")),
    close: () => undefined,
  };
  return { api, paths };
};

const read = async (api: ApiServer) => {
  const { keys, faults } = await keysToVisit(api, { namespace: undefined, wait: () => Promise.resolve() });
  return { keys: keys.map(keyText), faults: faults.map(({ message }) => message) };
};

describe("the keys to visit", () => {
  it("come in order, whatever order the pages had", async () => {
    const { api } = serving((token) =>
      token === "" ? { names: ["b", "a-1"], next: "more" } : { names: ["a", "c"] },
    );
    assert.deepEqual(await read(api), { keys: ["shop/a", "shop/a-1", "shop/b", "shop/c"], faults: [] });
  });
  for (const { name, fault } of [
    { name: "expired", fault: expired },
    { name: "failed", fault: down },
  ]) {
    it(`are read again from the first page where a later one ${name}`, async () => {
      const { api } = serving((token, begun) => {
        if (token === "more" && begun < 3) throw fault();
        return token === "" ? { names: ["a"], next: "more" } : { names: ["b"] };
      });
      assert.deepEqual(await read(api), { keys: ["shop/a", "shop/b"], faults: [] });
    });
  }
  it("are those of the pages that could be read where one never can, and the list is begun a bounded number of times", async () => {
    const { api, paths } = serving((token) => {
      if (token === "more") throw expired();
      return { names: ["a"], next: "more" };
    });
    assert.deepEqual(await read(api), { keys: ["shop/a"], faults: ["expired"] });
    assert.ok(paths.filter((path) => path === "sampledbs").length <= 10, paths.join(" "));
  });
  it("are those of the other lists where one is refused, at once", async () => {
    const { api, paths } = serving(
      () => ({ names: ["a"] }),
      (path) => {
        if (path.endsWith("/secrets")) throw forbidden();
      },
    );
    assert.deepEqual(await read(api), { keys: ["shop/a"], faults: ["forbidden"] });
    assert.deepEqual(paths, ["sampledbs", "persistentvolumeclaims", "secrets", "statefulsets"]);
  });
  it("are not asked for any further once an API server gives no answer", async () => {
    const { api, paths } = serving(() => {
      throw down();
    });
    assert.deepEqual(await read(api), { keys: [], faults: ["down"] });
    assert.deepEqual([...new Set(paths)], ["sampledbs"]);
  });
});

describe("the keys to visit of one of several releases", () => {
  const release = releaseFrom({ NAMESPACE_SELECTOR: "sampledb.dev/release=blue" });
  const all = ["shop", "bank"].map((namespace) => ({ metadata: { namespace, name: "orders" } }));

  /** An API server with two namespaces, of which the first is selected; `fault` is what the list of them ends with. */
  const api = (paths: string[], fault?: Fault): ApiServer => ({
    call: async ({ path }) => {
      await Promise.resolve();
      paths.push(path);
      if (!path.startsWith("/api/v1/namespaces?")) return JSON.stringify({ items: all });
      if (fault !== undefined) throw fault;
      return JSON.stringify({ items: [{ metadata: { name: "shop" } }] });
    },
    stream: () => Promise.reject(new Error("nothing is watched")),
    close: () => undefined,
  });
  const options = { namespace: undefined, release, wait: () => Promise.resolve() };

  it("are those of its namespaces, which the API server selects", async () => {
    const paths: string[] = [];
    const { keys, faults } = await keysToVisit(api(paths), options);
    assert.deepEqual(keys.map(keyText), ["shop/orders"]);
    assert.deepEqual(faults, []);
    const { searchParams } = new URL(paths[0] ?? "", "http://api.example.com");
    assert.equal(searchParams.get("labelSelector"), "sampledb.dev/release=blue");
    assert.equal(paths.filter((path) => path.includes("namespaces?")).length, 1);
  });

  it("are none where it is not known which namespaces those are", async () => {
    const paths: string[] = [];
    const { keys, faults } = await keysToVisit(api(paths, forbidden()), options);
    assert.deepEqual(keys, []);
    assert.deepEqual(
      faults.map(({ message }) => message),
      ["forbidden"],
    );
    assert.equal(paths.length, 1);
  });
});
