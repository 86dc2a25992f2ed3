import { readFileSync } from "node:fs";

/** A request as a component of Knative sent it. */
export type Recorded = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Every recorded request, by name. */
export const RECORDED: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync(new URL("../../fixtures/knative-events.json", import.meta.url), "utf8"),
);

/** The recorded kind, its objects and their namespace become ours. */
export const SAMPLEDB = {
  "kn.test/v1": "sampledb.dev/v1",
  Thing: "SampleDB",
  "/things/": "/sampledbs/",
  "namespaces/ev/": "namespaces/shop/",
  '"ce-namespace":"ev"': '"ce-namespace":"shop"',
  'namespace\\":\\"ev\\"': 'namespace\\":\\"shop\\"',
  "fix-1": "orders",
  "d-ok-mx3fipds": "orders",
};
export const CHILD = {
  "/configmaps/": "/secrets/",
  ConfigMap: "Secret",
  child: "orders-superuser",
  ev2: "shop",
};

/** A recorded request, with `words` exchanged wherever they stand. */
export const recorded = (name: string, words: Readonly<Record<string, string>> = {}): Recorded => {
  const found = RECORDED[name];
  if (found === undefined) throw new Error(`${name} was not recorded`);
  let text = JSON.stringify(found);
  for (const [from, to] of Object.entries(words)) text = text.replaceAll(from, to);
  const { headers, body }: Recorded = JSON.parse(text);
  return { headers: { ...headers, "content-length": `${Buffer.byteLength(body)}` }, body };
};
