import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Check } from "../build.ts";
import { containersOf } from "../workload.ts";
import type { Container, Workload } from "../workload.ts";

const FUNCTIONS = resolve(import.meta.dirname, "../../../../functions");
/** The watchdog's, all in small letters but for none. */
const WATCHDOG = new Set([
  "mode",
  "fprocess",
  "http_upstream_url",
  "exec_timeout",
  "write_timeout",
  "read_timeout",
  "healthcheck_interval",
  "prefix_logs",
]);
/** Of Node and of OpenTelemetry, and what only stands in other values. */
const OTHERS = /^(?:NODE_|OTEL_)/u;

let words: ReadonlySet<string> | undefined;
/** Every word that the functions' sources have. */
const sourceWords = (): ReadonlySet<string> => {
  words ??= new Set(
    readdirSync(FUNCTIONS, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => readFileSync(join(FUNCTIONS, file), "utf8").match(/\b[A-Z][A-Z_\d]+\b/gu) ?? []),
  );
  return words;
};

const isKnown = (name: string, { maker }: Workload): boolean =>
  sourceWords().has(name) || OTHERS.test(name) || (maker === "OpenFaaS" && WATCHDOG.has(name));

const unmountedFiles = ({ env = [], volumeMounts = [] }: Container): readonly string[] =>
  env
    .filter(({ name }) => /_(?:FILE|DIR)$/u.test(name))
    .filter(
      ({ value = "" }) => !volumeMounts.some(({ mountPath }) => `${value}/`.startsWith(`${mountPath}/`)),
    )
    .map(({ name, value }) => `env.${name}: nothing is mounted at ${value}`);

/** References to variables are replaced only where what they name stands before. */
const unresolved = ({ env = [] }: Container): readonly string[] =>
  env.flatMap(({ name, value = "" }, nth) =>
    [...value.matchAll(/\$\((?<other>[^)]*)\)/gu)]
      .filter(({ groups }) => !env.slice(0, nth).some((each) => each.name === groups?.["other"]))
      .map(([reference]) => `env.${name}: ${reference} is no variable before it`),
  );

/** Every variable is one that a function reads, and what it names is mounted. */
export const settings: Check = ({ workloads }) =>
  workloads.flatMap((workload) =>
    containersOf(workload).flatMap(([at, container]) =>
      [
        ...(container.env ?? [])
          .filter(({ name }) => !isKnown(name, workload))
          .map(({ name }) => `env.${name}: no function reads it`),
        ...unmountedFiles(container),
        ...unresolved(container),
      ].map((fault) => `${workload.what}: ${at}.${fault}`),
    ),
  );
