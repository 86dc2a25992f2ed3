import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const OVERLAY = resolve(import.meta.dirname, "../../../manifests/overlays/openfaas");

type Texts = Readonly<Record<string, string>>;
type Amounts = { readonly cpu: string; readonly memory: string };

/** A function as faas-cli's stack.yaml describes it, and what the gateway is sent of it. */
export type StackFunction = {
  readonly image: string;
  readonly environment: Texts;
  readonly secrets: readonly string[];
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly requests: Amounts;
  readonly limits: Amounts;
  readonly readonly_root_filesystem: boolean;
};

/** A file of manifests/overlays/openfaas, as text. */
export const overlayFile = (file: string): string => readFileSync(join(OVERLAY, file), "utf8");

/** `${NAME:-default}` as faas-cli replaces it, of `env` alone. */
const substituted = (text: string, env: Texts): string =>
  text.replaceAll(/\$\{(\w+):-([^}]*)\}/gu, (_, name: string, otherwise: string) => env[name] ?? otherwise);

/** The functions of a stack file, by name. */
export const stackFunctions = (file: string, env: Texts = {}): Readonly<Record<string, StackFunction>> => {
  const { functions }: { functions: Record<string, StackFunction> } = parse(
    substituted(overlayFile(file), env),
  );
  return functions;
};

/** A duration as Go writes it (`20s`, `1m5s`), in seconds. */
export const secondsOf = (duration: string): number => {
  const parts = /^(?:(\d+)m)?(?:(\d+)s)?$/u.exec(duration);
  if (parts === null || duration === "") throw new Error(`${JSON.stringify(duration)} is no duration`);
  return Number(parts[1] ?? 0) * 60 + Number(parts[2] ?? 0);
};
