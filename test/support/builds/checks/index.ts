import type { Check } from "../build.ts";
import { addresses } from "./addresses.ts";
import { certificates } from "./certificates.ts";
import { images } from "./images.ts";
import { labels } from "./labels.ts";
import { names } from "./names.ts";
import { network } from "./network.ts";
import { probes } from "./probes.ts";
import { references } from "./references.ts";
import { resources } from "./resources.ts";
import { rights } from "./rights.ts";
import { security } from "./security.ts";
import { selectors } from "./selectors.ts";
import { settings } from "./settings.ts";
import { tokens } from "./tokens.ts";

/** Everything that is asked of a build and needs no API server. */
export const CHECKS: Readonly<Record<string, Check>> = {
  names,
  labels,
  images,
  security,
  resources,
  probes,
  settings,
  references,
  selectors,
  addresses,
  certificates,
  tokens,
  rights,
  network,
};
