import { allowed, refused } from "./entry.ts";
import type { Entry } from "./entry.ts";

const configMap = (name: unknown, key: unknown = "a.sql") => ({ configMapKeyRef: { name, key } });
const secret = (name: unknown, key: unknown = "a.sql") => ({ secretKeyRef: { name, key } });
const of = (...init: readonly unknown[]) => ({ init });

/** spec.init, and the fields that have no rule but their type. */
export const initAndOthers: readonly Entry[] = [
  allowed("initReferences", "allows no scripts", of()),
  allowed(
    "initReferences",
    "allows several keys of one ConfigMap",
    of(configMap("a", "1"), configMap("a", "2")),
  ),
  allowed("initReferences", "allows a ConfigMap and a Secret of one name", of(configMap("a"), secret("a"))),
  allowed(
    "initReferences",
    "allows 16 scripts",
    of(...Array.from({ length: 16 }, (_, i) => secret("a", `${i}`))),
  ),
  allowed("initReferences", "allows a change of scripts", of(secret("b")), { from: of(secret("a")) }),
  refused("initReferences", "refuses a script without a reference", of({})),
  refused(
    "initReferences",
    "refuses a script with both references",
    of({ ...configMap("a"), ...secret("a") }),
  ),
  refused(
    "initReferences",
    "refuses a script that is named twice",
    of(configMap("a"), secret("a"), configMap("a")),
  ),
  refused("initReferences", "refuses a name that no object has", of(secret("My Secret"))),
  refused("initReferences", "refuses a key that no object has", of(configMap("a", "dir/a.sql"))),
  refused("initReferences", "refuses a path as a name", of(configMap("../a"))),
  refused("shape", "refuses 17 scripts", of(...Array.from({ length: 17 }, (_, i) => secret("a", `${i}`)))),
  refused("shape", "refuses a script without a key", of({ secretKeyRef: { name: "a" } })),
  refused("shape", "refuses an empty key", of(configMap("a", ""))),
  refused("shape", "refuses a script that is text", of("a.sql")),
  refused("shape", "refuses a script that is null", of(null)),
  refused("shape", "refuses an object for the list", { init: secret("a") }),

  allowed(
    "initOwnObjects",
    "allows names that only begin with the SampleDB's",
    of(configMap("orders-schema"), secret("orders-1")),
  ),
  allowed(
    "initOwnObjects",
    "allows a Secret called like a ConfigMap of nobody",
    of(configMap("orders-superuser")),
  ),
  refused(
    "initOwnObjects",
    "refuses the SampleDB's own ConfigMap",
    of(configMap("orders", "postgresql.conf")),
  ),
  refused("initOwnObjects", "refuses the SampleDB's own Secret", of(secret("orders", "password"))),
  refused(
    "initOwnObjects",
    "refuses the superuser's Secret",
    of(configMap("a"), secret("orders-superuser", "password")),
  ),
  refused("initOwnObjects", "refuses it in an update too", of(secret("orders")), { from: {} }),

  allowed("shape", "allows no spec", undefined),
  allowed("shape", "takes null for not set", {
    version: null,
    storage: null,
    deletion: { policy: null },
    resources: { limits: null },
  }),
  allowed("shape", "allows Wipe", { deletion: { policy: "Wipe" } }),
  allowed(
    "shape",
    "allows a change of policy and pause",
    { deletion: { policy: "Wipe" }, paused: true },
    { from: {} },
  ),
  allowed(
    "shape",
    "allows protection to be taken away",
    { deletion: {} },
    { from: { deletion: { protection: true } } },
  ),
  refused("shape", "refuses protection in quotes", { deletion: { protection: "true" } }),
  refused("shape", "refuses another policy", { deletion: { policy: "wipe" } }),
  refused("shape", "refuses an empty policy", { deletion: { policy: "" } }),
  refused("shape", "refuses a pause in quotes", { paused: "true" }),
  refused("shape", "refuses a pause that is a number", { paused: 1 }),
  refused("shape", "refuses text for the spec", "all"),
  refused("shape", "refuses a list for the spec", []),
  refused("shape", "refuses text for an object", { storage: "1Gi" }),
];
