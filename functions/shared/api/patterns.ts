/** Regular expressions that the CRD (RE2, in CEL) and the rules (JavaScript) share; both read these alike. */

/** DNS-1035 label without its length: what a Service may be called. */
export const DNS_LABEL = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

/** DNS-1123 subdomain without its length: what most objects may be called. */
export const DNS_SUBDOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/** Key of a ConfigMap or Secret. */
export const DATA_KEY = "^[-._a-zA-Z0-9]+$";

/** PostgreSQL identifier of lower-case letters, digits and _: SQL changes no letter of it. */
export const IDENTIFIER = "^[a-z_][a-z0-9_]*$";

/** Image reference: registry and path, then tag, digest or both. */
export const IMAGE =
  "^([a-zA-Z0-9][-a-zA-Z0-9.]*(:[0-9]+)?/)?[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[a-zA-Z0-9_][-a-zA-Z0-9_.]{0,127})?(@sha256:[a-f0-9]{64})?$";

/** Image reference that says which image: by tag, by digest or both. */
export const PINNED = "(:[^/:@]+|@[^/@]+)$";
