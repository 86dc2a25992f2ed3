import { parseArgs } from "node:util";

const OUTPUTS = ["text", "json", "github"] as const;

export type Options = {
  readonly paths: readonly string[];
  readonly output: (typeof OUTPUTS)[number];
  /** File or folder of the catalog; undefined for the built-in one. */
  readonly catalog: string | undefined;
  readonly isStrict: boolean;
  readonly mayBeNone: boolean;
  readonly isPrinted: boolean;
};

/** What the arguments ask for. */
export type Asked =
  | { readonly do: "judge"; readonly options: Options }
  | { readonly do: "help" | "version" }
  | { readonly do: "complain"; readonly message: string };

export const usage = `Usage: sampledb-validate [OPTION ...] FILE|FOLDER|- ...

Judges the SampleDBs in YAML and JSON files as admission would if they were created now, without a cluster. Each
FOLDER stands for the *.yaml, *.yml and *.json below it (not in node_modules or in folders whose name begins with a
dot), - for standard input. Other kinds are passed over.

  --output text    one line each: file:line:column: path: value: message (the default)
  --output json    one object, with all findings
  --output github  annotations, for a workflow of GitHub Actions
  --print          print what the cluster would hold, with all defaults; findings go to standard error
  --catalog PATH   versions on offer: a file with the ConfigMap sampledb-catalog, or its folder. Without: the built-in ones
  --strict         a warning is enough to fail
  --allow-none     it is no error if there is no SampleDB
  --help, --version

Exit code: 0 if all is well, 1 if not, 2 if a file cannot be read or the command is wrong.
What only a cluster can tell is not judged: changes of what is there already, its StorageClasses, quotas, permissions.
`;

const parsed = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      output: { type: "string", short: "o", default: "text" },
      catalog: { type: "string" },
      print: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      "allow-none": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", short: "V", default: false },
    },
  });

const complaint = (message: string): Asked => ({ do: "complain", message });

const askedBy = ({ values, positionals }: ReturnType<typeof parsed>): Asked => {
  if (values.help) return { do: "help" };
  if (values.version) return { do: "version" };
  const output = OUTPUTS.find((known) => known === values.output);
  if (output === undefined)
    return complaint(`--output is ${values.output}: it must be one of ${OUTPUTS.join(", ")}`);
  if (values.print && output !== "text") return complaint("--print and --output exclude each other");
  if (positionals.length === 0) return complaint("no file is named");
  return {
    do: "judge",
    options: {
      paths: positionals,
      output,
      catalog: values.catalog,
      isStrict: values.strict,
      mayBeNone: values["allow-none"],
      isPrinted: values.print,
    },
  };
};

/** Reads the command's arguments. */
export const readOptions = (args: readonly string[]): Asked => {
  try {
    return askedBy(parsed(args));
  } catch (cause) {
    return complaint(cause instanceof Error ? cause.message : String(cause));
  }
};
