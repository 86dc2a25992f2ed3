import { ANNOTATION } from "../api/markers.ts";
import type { InitScript, SampleDB } from "../api/sampledb.ts";
import { currentClaim } from "../api/volume.ts";
import type { PersistentVolumeClaim } from "./kinds.ts";
import type { InitSource } from "./observed.ts";
import type { Reader } from "./reader.ts";

type Place = { readonly kind: "ConfigMap" | "Secret"; readonly name: string; readonly key: string };

const placeOf = ({ configMapKeyRef, secretKeyRef }: InitScript): Place | undefined => {
  if (configMapKeyRef !== undefined) return { kind: "ConfigMap", ...configMapKeyRef };
  return secretKeyRef === undefined ? undefined : { kind: "Secret", ...secretKeyRef };
};

const decoded = (kind: Place["kind"], text: string | undefined): string | undefined =>
  kind === "Secret" && text !== undefined ? Buffer.from(text, "base64").toString("utf8") : text;

/** The referenced scripts, in order, until all of them have run on the current volume. An object that several name is read once. */
export const readInitSources = async (
  reader: Reader,
  sampledb: SampleDB | undefined,
  claims: readonly PersistentVolumeClaim[],
): Promise<readonly InitSource[]> => {
  const haveRun = currentClaim(claims)?.metadata?.annotations?.[ANNOTATION.initScripts] !== undefined;
  if (sampledb === undefined || haveRun) return [];
  const namespace = sampledb.metadata.namespace;
  const objects = new Map<string, ReturnType<typeof dataOf>>();
  const dataOf = async ({ kind, name }: Place) => (await reader.get(kind, name, namespace))?.data ?? {};
  const contentOf = async (script: InitScript): Promise<string | undefined> => {
    const place = placeOf(script);
    if (place === undefined) return undefined;
    const id = `${place.kind}/${place.name}`;
    const data = objects.get(id) ?? dataOf(place);
    objects.set(id, data);
    return decoded(place.kind, (await data)[place.key]);
  };
  return Promise.all(
    (sampledb.spec?.init ?? []).map(async (script) => ({ script, content: await contentOf(script) })),
  );
};
