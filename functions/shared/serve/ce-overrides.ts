/** What the event is about and whose it is: an override there would make it another event. */
const OURS = new Set([
  "specversion",
  "id",
  "type",
  "source",
  "subject",
  "time",
  "datacontenttype",
  "dataschema",
  "data",
  "kind",
  "namespace",
  "name",
]);

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** As the HTTP binding of CloudEvents says: what is no printable ASCII, and spaces, quotes and percent signs. */
const headerText = (value: string): string =>
  value.toWellFormed().replaceAll(/[^!#$&-~]/gu, (character) => encodeURIComponent(character));

/**
 * `K_CE_OVERRIDES`, which Knative sets beside `K_SINK`: JSON whose `extensions` are attributes for each event, given as headers `ce-name`. None
 * where it is not set. Throws with a sentence for the user.
 */
export const ceOverrides = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> => {
  const text = env["K_CE_OVERRIDES"] ?? "";
  if (text === "") return {};
  const refuse = (why: string): Error => new Error(`K_CE_OVERRIDES is ${JSON.stringify(text)}: ${why}.`);
  const value = parsed(text);
  const extensions = isFields(value) ? (value["extensions"] ?? {}) : undefined;
  if (!isFields(extensions)) {
    throw refuse('it must be JSON of the form {"extensions": {"name": "value"}}');
  }
  const headers = Object.entries(extensions).map(([given, each]): [string, string] => {
    const name = given.toLowerCase();
    if (!/^[a-z0-9]+$/u.test(name)) throw refuse(`${JSON.stringify(given)} must be letters and digits`);
    if (OURS.has(name)) throw refuse(`${JSON.stringify(given)} says what the event is and cannot be set`);
    if (typeof each !== "string") throw refuse(`the value of ${JSON.stringify(given)} must be a text`);
    return [`ce-${name}`, headerText(each)];
  });
  return Object.fromEntries(headers);
};
