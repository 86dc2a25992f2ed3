import type { StoredObject } from "./api.ts";
import type { StoredSecret } from "./key-pair.ts";

type Texts = Readonly<Record<string, string>>;

const mapTexts = (texts: Texts, change: (text: string) => string): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text)]));

/** A Secret as the API server gave it, data decoded. */
export const storedSecret = ({ metadata, data }: StoredObject): StoredSecret => ({
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
  data: mapTexts(data ?? {}, (text) => Buffer.from(text, "base64").toString()),
});

const encoded = (data: Texts): Texts => mapTexts(data, (text) => Buffer.from(text).toString("base64"));

/** A new Secret with `data`. */
export const newSecret = (name: string, namespace: string, data: Texts): unknown => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name,
    namespace,
    labels: {
      "app.kubernetes.io/name": "sampledb",
      "app.kubernetes.io/part-of": "sampledb",
      "app.kubernetes.io/component": "certify",
    },
  },
  type: "kubernetes.io/tls",
  data: encoded(data),
});

/** A merge patch that puts `data` in place of all that exactly this Secret held. */
export const replacement = ({ uid, resourceVersion, data: old }: StoredSecret, data: Texts): unknown => ({
  metadata: { uid, resourceVersion },
  data: { ...mapToNull(old), ...encoded(data) },
});

const mapToNull = (texts: Texts): Readonly<Record<string, null>> =>
  Object.fromEntries(Object.keys(texts).map((key) => [key, null]));
