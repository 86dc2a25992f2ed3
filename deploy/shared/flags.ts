import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { wordsOf } from "./failure.ts";

/** What a command line asks for: the command with its options, the usage text, or one sentence that says what is wrong with it. */
export type Parsed<Options> =
  | { readonly kind: "go"; readonly options: Options }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly sentence: string };

/** Thrown by what reads options: the command line cannot be meant. */
export class WrongUsage extends Error {}

type Values<Flags extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Flags }>
>["values"];

/** Reads the command line of `npm run COMMAND`; `options` makes options of its flags, and throws WrongUsage for what is wrong with them. */
export const parseFlags = <Flags extends ParseArgsOptionsConfig, Options>(
  args: readonly string[],
  flags: Flags,
  { command, options }: { readonly command: string; readonly options: (values: Values<Flags>) => Options },
): Parsed<Options> => {
  if (args.includes("--help") || args.includes("-h")) return { kind: "help" };
  try {
    const { values } = parseArgs({ args: [...args], options: flags });
    return { kind: "go", options: options(values) };
  } catch (error) {
    const sentence = `${wordsOf(error).replace(/\.$/u, "")}. See npm run ${command} -- --help.`;
    return { kind: "wrong", sentence };
  }
};
