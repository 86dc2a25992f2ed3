/** One exchange with the API server, for metrics. */
export type ApiCallNote = {
  /** `GET`, `POST`, `PATCH`, `DELETE`; `WATCH` for a stream. */
  readonly method: string;
  /** Plural, e.g. `secrets`; `none` for a path that is no object's. */
  readonly resource: string;
  /** HTTP status code; `none` where there was no answer. */
  readonly code: string;
  /** Until the answer was there, of a watch until it began. */
  readonly seconds: number;
};

type Subject = {
  readonly resource: string;
  /** The path with placeholders instead of names: one of few. */
  readonly template: string;
};

/** What the path of a call (with or without query) is about. */
export const subjectOf = (path: string): Subject => {
  const [, ...parts] = (path.split("?")[0] ?? "").split("/");
  const version = { api: 2, apis: 3 }[parts[0] ?? ""];
  if (version === undefined) return { resource: "none", template: `/${parts.join("/")}` };
  const rest = parts.slice(version);
  const isNamespaced = rest[0] === "namespaces" && rest.length > 2;
  const [resource = "none", name, ...sub] = isNamespaced ? rest.slice(2) : rest;
  const template = [
    ...parts.slice(0, version),
    ...(isNamespaced ? ["namespaces", "{namespace}"] : []),
    resource,
    ...(name === undefined ? [] : ["{name}"]),
    ...sub,
  ];
  return { resource, template: `/${template.join("/")}` };
};
