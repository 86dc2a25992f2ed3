/**
 * One call of node:test: that many files at a time, each in a process of its own, or all in one process one after the other, which lets
 * them share a cluster.
 */
export type Run = { readonly files: readonly string[]; readonly processes: number | "one for all" };

/** A part of the test run: runs that go on at the same time, or a command that passes or fails as one. */
export type Stage =
  | { readonly name: string; readonly command: readonly [string, ...string[]] }
  | { readonly name: string; readonly runs: readonly Run[] };

/** In order; each needs more of a machine than the one before. */
const STAGES: readonly Stage[] = [
  { name: "check", command: ["npm", "run", "--silent", "check"] },
  { name: "build", command: ["npm", "run", "--silent", "build"] },
  { name: "unit", runs: [{ files: ["test/unit/**/*.test.ts"], processes: 2 }] },
  { name: "contract", runs: [{ files: ["test/contract/**/*.test.ts"], processes: 2 }] },
  { name: "cluster", runs: [{ files: ["test/cluster/**/*.test.ts"], processes: 2 }] },
  {
    name: "e2e",
    // Mostly waiting for pods: two nodes at once take little longer than one.
    runs: [
      { files: ["test/e2e/database/**/*.test.ts"], processes: "one for all" },
      {
        files: ["test/e2e/deletion/**/*.test.ts", "test/e2e/deployment/**/*.test.ts", "test/e2e/*.test.ts"],
        processes: "one for all",
      },
    ],
  },
];

export const usage = `Usage: npm test [-- STAGE ...]

Without a stage all run, in this order: ${STAGES.map((stage) => stage.name).join(", ")}.
`;

/** The stages that the arguments name, all without arguments, undefined where a name is unknown. */
export const stagesFrom = (names: readonly string[]): readonly Stage[] | undefined =>
  names.every((name) => STAGES.some((stage) => stage.name === name))
    ? STAGES.filter((stage) => names.length === 0 || names.includes(stage.name))
    : undefined;
