import { LABEL } from "../../../functions/shared/api/markers.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { RESOURCES } from "../../../functions/shared/kube/kinds.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";

/** A connection each is more than the client opens; what counts is that it never waits for us. */
const AT_ONCE = 100;

export const nameOf = (i: number): string => `db-${i}`;

/** A SampleDB as it looks after its functions wrote on it, and its children: of each kind the smallest that the API server takes. */
const objectsOf = (name: string): readonly { readonly kind: Kind; readonly content: object }[] => [
  { kind: "SampleDB", content: { spec: {} } },
  { kind: "ConfigMap", content: { data: { text: "x" } } },
  { kind: "Secret", content: { stringData: { password: name } } },
  {
    kind: "PersistentVolumeClaim",
    content: {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  },
];

const create = async (api: ApiServer, namespace: string, name: string): Promise<void> => {
  for (const { kind, content } of objectsOf(name)) {
    // Applied, as the functions do: it is the field managers that make metadata large.
    const path = pathOf(kind, { namespace, name }, { fieldManager: "sampledb-provision", force: "true" });
    const labels = {
      [LABEL.database]: name,
      "app.kubernetes.io/name": "sampledb",
      "app.kubernetes.io/managed-by": "sampledb",
    };
    const annotations = { "sampledb.dev/owner-uid": "6f1a3a1e-6d1f-4c59-8a36-7a9b9a1f3f7e" };
    await api.call({
      method: "PATCH",
      path,
      contentType: "application/apply-patch+yaml",
      body: {
        apiVersion: RESOURCES[kind].apiVersion,
        kind,
        metadata: { name, namespace, labels, annotations },
        ...content,
      },
      signal: AbortSignal.timeout(120_000),
    });
  }
};

/** Makes `count` SampleDBs `db-0`, `db-1` and so on, each with a ConfigMap, a Secret and a claim of its name. */
export const makeObjects = async (
  api: ApiServer,
  namespace: string,
  count: number,
  say: (line: string) => void,
): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const i = next;
      next += 1;
      if (i % 1000 === 0) say(`${i} of ${count} SampleDBs are there`);
      await create(api, namespace, nameOf(i));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};
