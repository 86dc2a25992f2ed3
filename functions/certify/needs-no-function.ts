import { KNOWN_VERSIONS } from "../shared/api/catalog.ts";
import { MAX_NAME_LENGTH } from "../shared/api/child-names.ts";
import { RESERVED_DATABASES, RESERVED_OWNERS, RESERVED_SUFFIXES } from "../shared/api/limits.ts";
import { FINALIZER } from "../shared/api/markers.ts";
import { SQL_WORDS } from "../shared/api/sql-words.ts";

const all = (...parts: readonly string[]): string => parts.map((part) => `(${part})`).join(" && ");

const isMap = (path: string): string => `has(${path}) && type(${path}) == map`;

/** Patterns are constants: the API server compiles others at each evaluation. */
const isText = (path: string, pattern: string): string =>
  `has(${path}) && type(${path}) == string && ${path}.matches('^${pattern}$')`;

const isNamed = all(
  isText("object.metadata.name", `[a-z]([-a-z0-9]{0,${MAX_NAME_LENGTH - 2}}[a-z0-9])?`),
  `!object.metadata.name.matches('(${RESERVED_SUFFIXES.join("|")})$')`,
);

const hasFinalizer = `has(object.metadata.finalizers) && '${FINALIZER}' in object.metadata.finalizers`;

const hasVersion = isText("s.version", `(${KNOWN_VERSIONS.join("|")})`);

/** Whole gibibytes, of a class or of none that is named. */
const hasStorage = all(
  isMap("s.storage"),
  isText("s.storage.size", "[1-9][0-9]{0,5}Gi"),
  `!has(s.storage.storageClassName) || ${isText("s.storage.storageClassName", "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")}`,
);

/** Every word of SQL, database and role that is somebody's: names that need a look. */
const words = [...RESERVED_DATABASES, ...RESERVED_OWNERS, ...SQL_WORDS].map((word) => `'${word}'`).join(", ");

/** PostgreSQL's own begin with `pg_`. */
const IDENTIFIER = "([a-oq-z_]|p[a-fh-z0-9])[a-z0-9_]{0,60}";

const hasDatabase = all(
  isMap("s.database"),
  isText("s.database.name", IDENTIFIER),
  isText("s.database.owner", IDENTIFIER),
  `!(s.database.name in [${words}])`,
  `!(s.database.owner in [${words}])`,
);

const hasAmounts = (path: string): string =>
  all(
    `${isMap(path)} && ${path}.size() == 2`,
    isText(`${path}.cpu`, "[1-9][0-9]{0,5}m?"),
    isText(`${path}.memory`, "[1-9][0-9]{0,5}[MG]i"),
  );
const isWithin = (low: string, high: string): string => `quantity(${low}).compareTo(quantity(${high})) <= 0`;
const hasResources = all(
  isMap("s.resources"),
  hasAmounts("s.resources.requests"),
  hasAmounts("s.resources.limits"),
  ...["cpu", "memory"].map((name) => isWithin(`s.resources.requests.${name}`, `s.resources.limits.${name}`)),
  // Less is allowed, with a warning.
  isWithin("'256Mi'", "s.resources.limits.memory"),
);

const keepsData = `!has(s.deletion) || ${all(
  isMap("s.deletion"),
  "!has(s.deletion.policy) || s.deletion.policy == 'Retain'",
  "!has(s.deletion.protection) || type(s.deletion.protection) == bool",
)}`;

const hasNoInit = "!has(s.init) || s.init == []";
const isActive = "!has(s.paused) || s.paused == false";

/** A minor version, on a base or on none, by digest too or not: no tag that moves, and none that names another version. */
const PATH = "(([a-z0-9]+[.-])*[a-z0-9]+(:[0-9]+)?/)?([a-z0-9]+[./-])*[a-z0-9]+";
const TAG = `(${KNOWN_VERSIONS.join("|")})[.][0-9]{1,3}(-(alpine|slim|bullseye|bookworm|trixie))?`;
const IMAGE = `${PATH}:${TAG}(@sha256:[a-f0-9]{64})?`;
const namesImage = all(
  isText("s.image", IMAGE),
  "s.image.size() <= 500",
  "s.image.contains(':' + s.version + '.')",
);

/**
 * CEL for: a new SampleDB that says everything, in forms that are right beyond doubt and nothing to warn of. Strict on purpose: what is merely
 * not of these forms is judged by the functions, and may be right. Every part asks for a value's type before it uses it, since an error
 * in a match condition refuses the object; where another part says no, an error in one counts for nothing. What most creations lack comes first.
 */
const saysEverything = (more: string): string => {
  const spec = all(more, hasVersion, hasDatabase, hasStorage, hasResources, hasNoInit, keepsData, isActive);
  // A list of one is how CEL gives a name to a value.
  return all(
    "oldObject == null",
    hasFinalizer,
    isMap("object.spec"),
    isNamed,
    `[object.spec].all(s, ${spec})`,
  );
};

/** Nothing to fill in and nothing to refuse, save a version that the catalog may not offer: validate says that in the same words. */
export const needsNoMutate = saysEverything(`!has(s.image) || ${namesImage}`);

/** Nothing to refuse and nothing to warn of. Where no image is named the catalog decides, which only the function knows. */
export const needsNoValidate = saysEverything(namesImage);
