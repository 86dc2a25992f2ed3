import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { sampledbCrd } from "../../functions/shared/api/crd.ts";

/** Where the printed CRD lives. */
export const CRD_FILE = new URL("../../manifests/crds/sampledbs.yaml", import.meta.url);

/** The CRD as YAML, exactly as it is checked in. */
export const printCrd = (): string =>
  `# Printed from functions/shared/api by "npm run generate"; edit there.\n${stringify(sampledbCrd, { lineWidth: 0, aliasDuplicateObjects: false })}`;

if (import.meta.main) {
  writeFileSync(CRD_FILE, printCrd());
  process.stdout.write(`printed ${CRD_FILE.pathname}\n`);
}
