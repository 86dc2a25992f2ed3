import { readFileSync } from "node:fs";

type Recorded = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const RECORDED: Readonly<Record<"dead-letter" | "apiserver.ref.update", Recorded>> = JSON.parse(
  readFileSync(new URL("../fixtures/knative-events.json", import.meta.url), "utf8"),
);

/** What a client sets itself. */
const ITS_OWN = new Set(["host", "content-length", "user-agent", "accept-encoding"]);

const sendable = ({ headers }: Recorded): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ITS_OWN.has(name)));

/** The dead letter that was recorded: an event that names no object. */
export const RECORDED_LETTER: Recorded = {
  headers: sendable(RECORDED["dead-letter"]),
  body: RECORDED["dead-letter"].body,
};

/**
 * An event about an object of namespace shop as ApiServerSource sent one, with what the broker added to the recorded dead letter; `more` headers besides,
 * undefined for those that are to be left out.
 */
export const deadLetter = (
  about: { readonly kind: string; readonly name: string },
  more: Readonly<Record<string, string | undefined>> = {},
): Recorded => {
  const added = Object.entries(RECORDED_LETTER.headers).filter(([name]) => name.startsWith("ce-knative"));
  const headers: Readonly<Record<string, string | undefined>> = {
    ...sendable(RECORDED["apiserver.ref.update"]),
    ...Object.fromEntries(added),
    "ce-knativeerrordest": "http://provision.sampledb-system.svc.cluster.local",
    "ce-kind": about.kind,
    "ce-namespace": "shop",
    "ce-name": about.name,
    ...more,
  };
  return {
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    body: JSON.stringify({ kind: about.kind, namespace: "shop", name: about.name }),
  };
};
