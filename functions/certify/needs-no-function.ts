import { KNOWN_VERSIONS } from "../shared/api/catalog.ts";
import { MAX_NAME_LENGTH } from "../shared/api/child-names.ts";
import {
  MAX_IDENTIFIER_LENGTH,
  RESERVED_DATABASES,
  RESERVED_OWNERS,
  RESERVED_SUFFIXES,
} from "../shared/api/limits.ts";
import { FINALIZER } from "../shared/api/markers.ts";
import { DNS_LABEL, DNS_SUBDOMAIN, IDENTIFIER, IMAGE } from "../shared/api/patterns.ts";
import { SQL_WORDS } from "../shared/api/sql-words.ts";

const listed = (texts: Iterable<string>): string => `[${[...texts].map((text) => `'${text}'`).join(", ")}]`;

const all = (...parts: readonly string[]): string => parts.map((part) => `(${part})`).join(" && ");

/** A part of the spec that is an object. */
const isMap = (path: string): string => `has(${path}) && type(${path}) == map`;

const isText = (path: string): string => `has(${path}) && type(${path}) == string`;

const isNamed = all(
  "has(object.metadata.name)",
  `object.metadata.name.size() <= ${MAX_NAME_LENGTH}`,
  `object.metadata.name.matches('${DNS_LABEL}')`,
  ...RESERVED_SUFFIXES.map((suffix) => `!object.metadata.name.endsWith('${suffix}')`),
);

const hasFinalizer =
  `has(object.metadata.finalizers) && object.metadata.finalizers.exists(f, f == '${FINALIZER}')` as const;

const VERSION = "object.spec.version";
const hasVersion = `${isText(VERSION)} && ${VERSION} in ${listed(KNOWN_VERSIONS)}`;

const STORAGE = "object.spec.storage";
const CLASS = `${STORAGE}.storageClassName`;
const hasStorage = all(
  isMap(STORAGE),
  `${isText(`${STORAGE}.size`)} && ${STORAGE}.size.matches('^[1-9][0-9]{0,5}Gi$')`,
  `!has(${CLASS}) || type(${CLASS}) == string && ${CLASS}.size() <= 253 && ${CLASS}.matches('${DNS_SUBDOMAIN}')`,
);

const DATABASE = "object.spec.database";
const isFreeIdentifier = (path: string, reserved: readonly string[]): string =>
  all(
    isText(path),
    `${path}.size() <= ${MAX_IDENTIFIER_LENGTH}`,
    `${path}.matches('${IDENTIFIER}')`,
    `!${path}.startsWith('pg_')`,
    `!(${path} in ${listed([...reserved, ...SQL_WORDS])})`,
  );
const hasDatabase = all(
  isMap(DATABASE),
  isFreeIdentifier(`${DATABASE}.name`, RESERVED_DATABASES),
  isFreeIdentifier(`${DATABASE}.owner`, RESERVED_OWNERS),
);

const RESOURCES = "object.spec.resources";
const isAmount = (path: string, pattern: string): string =>
  `${isText(path)} && ${path}.matches('${pattern}')`;
const hasAmounts = (kind: string): string =>
  all(
    `${isMap(`${RESOURCES}.${kind}`)} && ${RESOURCES}.${kind}.size() == 2`,
    isAmount(`${RESOURCES}.${kind}.cpu`, "^[1-9][0-9]{0,5}m?$"),
    isAmount(`${RESOURCES}.${kind}.memory`, "^[1-9][0-9]{0,5}[MG]i$"),
  );
const isWithin = (low: string, high: string): string => `quantity(${low}).compareTo(quantity(${high})) <= 0`;
const hasResources = all(
  isMap(RESOURCES),
  hasAmounts("requests"),
  hasAmounts("limits"),
  ...["cpu", "memory"].map((name) =>
    isWithin(`${RESOURCES}.requests.${name}`, `${RESOURCES}.limits.${name}`),
  ),
  // Less is allowed, with a warning.
  isWithin("'256Mi'", `${RESOURCES}.limits.memory`),
);

const DELETION = "object.spec.deletion";
const keepsData = `!has(${DELETION}) || ${all(
  isMap(DELETION),
  `!has(${DELETION}.policy) || ${DELETION}.policy == 'Retain'`,
  `!has(${DELETION}.protection) || type(${DELETION}.protection) == bool`,
)}`;

const hasNoInit = "!has(object.spec.init) || object.spec.init == []";
const isActive = "!has(object.spec.paused) || object.spec.paused == false";

/** A minor version, on a base or on none, by digest too or not: no tag that moves, and none that names another version. */
const IMAGE_PATH = "object.spec.image";
const namesImage = all(
  isText(IMAGE_PATH),
  `${IMAGE_PATH}.size() <= 500`,
  `${IMAGE_PATH}.matches('${IMAGE}')`,
  `${IMAGE_PATH}.matches('^[^@]+:' + ${VERSION} + '[.][0-9]{1,3}(-(alpine|slim|bullseye|bookworm|trixie))?(@[^/@]+)?$')`,
);

/**
 * CEL for: a new SampleDB that says everything, in forms that are right beyond doubt and nothing to warn of. Strict on purpose: what is merely
 * not of these forms is judged by the functions, and may be right. Every part asks for a value's type before it uses it, since an error
 * in a match condition refuses the object.
 */
const SAYS_EVERYTHING = all(
  "oldObject == null",
  isNamed,
  hasFinalizer,
  isMap("object.spec"),
  hasVersion,
  hasStorage,
  hasDatabase,
  hasResources,
  hasNoInit,
  keepsData,
  isActive,
);

/** Nothing to fill in and nothing to refuse, save a version that the catalog may not offer: validate says that in the same words. */
export const needsNoMutate = all(SAYS_EVERYTHING, `!has(${IMAGE_PATH}) || ${namesImage}`);

/** Nothing to refuse and nothing to warn of. Where no image is named the catalog decides, which only the function knows. */
export const needsNoValidate = all(SAYS_EVERYTHING, namesImage);
