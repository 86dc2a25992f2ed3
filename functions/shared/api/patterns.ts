/** Regular expressions that the CRD (RE2, in CEL) and the rules (JavaScript) share; both read these alike. */

/** DNS-1035 label without its length: what a Service may be called. */
export const DNS_LABEL = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

/** DNS-1123 subdomain without its length: what most objects may be called. */
export const DNS_SUBDOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/** Key of a ConfigMap or Secret. */
export const DATA_KEY = "^[-._a-zA-Z0-9]+$";

/** PostgreSQL identifier of lower-case letters, digits and _: SQL changes no letter of it. */
export const IDENTIFIER = "^[a-z_][a-z0-9_]*$";

const HOST = "[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?";
const WORD = "[a-z0-9]+(([.]|__?|-+)[a-z0-9]+)*";

/** Image reference: registry and path, then tag, digest or both; what containerd and CRI-O can read. */
export const IMAGE = `^(${HOST}([.]${HOST})*(:[0-9]+)?/)?${WORD}(/${WORD})*(:[a-zA-Z0-9_][-a-zA-Z0-9_.]{0,127})?(@sha256:[a-f0-9]{64})?$`;

/** Image reference that says which image: by tag, by digest or both. */
export const PINNED = "(:[^/:@]+|@[^/@]+)$";

/** After the major version in an image's tag; then a digest, or nothing. */
const END = "([^0-9/:@][^/:@]*)?(@[^/@]+)?$";

/**
 * Image whose tag names PostgreSQL's major version, `major` being one or several joined by |: after `pg` (`pgvector:0.8.0-pg17`), which
 * tells it from an extension's own number, or else at the beginning (`postgres:17.5-bookworm`).
 */
export const taggedAfterPg = (major: string): string =>
  `^[^@]+:([^/:@]*[-_.])?(pg|postgres|postgresql)-?(${major})${END}`;
export const taggedAtBeginning = (major: string): string => `^[^@]+:(${major})${END}`;
