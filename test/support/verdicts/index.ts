import type { Catalog } from "../../../functions/shared/api/catalog.ts";
import { amounts } from "./amounts.ts";
import type { Entry } from "./entry.ts";
import { initAndOthers } from "./init.ts";
import { names } from "./names.ts";
import { versions } from "./versions.ts";

/**
 * Objects and changes of objects with their verdicts. One table for both judges: the rules (unit/api/verdicts) and the CRD alone on a real
 * API server (cluster/verdicts). Where these differ, the entry says why.
 */
export const VERDICTS: readonly Entry[] = [...names, ...versions, ...amounts, ...initAndOthers];

/** The catalog that the verdicts hold for: it offers no PostgreSQL 15. */
export const CATALOG: Catalog = {
  default: "17",
  latest: "18",
  images: {
    "16": "example.com/postgres:16.11",
    "17": "example.com/postgres:17.7",
    "18": "example.com/postgres:18.1",
  },
};
