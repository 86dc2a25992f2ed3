/**
 * A part of the test run. `glob`: files for node:test, that many at a time in processes of their own, or all in one process one after
 * the other, which lets them share a cluster; `command`: a check that passes or fails as one.
 */
export type Stage =
  | { readonly name: string; readonly command: readonly [string, ...string[]] }
  | { readonly name: string; readonly glob: string; readonly processes: number | "one for all" };

/** In order; each needs more of a machine than the one before. */
const STAGES: readonly Stage[] = [
  { name: "check", command: ["npm", "run", "--silent", "check"] },
  { name: "build", command: ["npm", "run", "--silent", "build"] },
  { name: "unit", glob: "test/unit/**/*.test.ts", processes: 2 },
  { name: "contract", glob: "test/contract/**/*.test.ts", processes: 2 },
  { name: "cluster", glob: "test/cluster/**/*.test.ts", processes: 1 },
  { name: "e2e", glob: "test/e2e/**/*.test.ts", processes: "one for all" },
];

export const usage = `Usage: npm test [-- STAGE ...]

Without a stage all run, in this order: ${STAGES.map((stage) => stage.name).join(", ")}.
`;

/** The stages that the arguments name, all without arguments, undefined where a name is unknown. */
export const stagesFrom = (names: readonly string[]): readonly Stage[] | undefined =>
  names.every((name) => STAGES.some((stage) => stage.name === name))
    ? STAGES.filter((stage) => names.length === 0 || names.includes(stage.name))
    : undefined;
