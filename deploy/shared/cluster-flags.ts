import { resolve } from "node:path";
import { componentsFor, fitting, type Component } from "./components.ts";
import { WrongUsage } from "./flags.ts";
import { PLATFORMS, type Platform } from "./platform.ts";

/** Flags that deploy and uninstall share. */
export const CLUSTER_FLAGS = {
  platform: { type: "string" },
  context: { type: "string" },
  namespace: { type: "string" },
  component: { type: "string", multiple: true, default: [] as string[] },
  write: { type: "string" },
  timeout: { type: "string", default: "600" },
  "dry-run": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const orJoined = (names: readonly string[]): string => names.join(", ");

/** The platform of --platform. */
export const platformOf = (name: string | undefined): Platform => {
  if (name === undefined) throw new WrongUsage(`--platform is missing: say ${orJoined(PLATFORMS)}`);
  const found = PLATFORMS.find((platform) => platform === name);
  if (found === undefined)
    throw new WrongUsage(`--platform: "${name}": must be one of ${orJoined(PLATFORMS)}`);
  return found;
};

const componentOf = (name: string, platform: Platform): Component => {
  const known = componentsFor(platform);
  const found = known.get(name);
  if (found !== undefined) return found;
  const names = [...known.keys()].toSorted();
  throw new WrongUsage(`--component: "${name}": for ${platform} there are ${orJoined(names)}`);
};

/** Each once. */
const componentsOf = (names: readonly string[], platform: Platform): readonly Component[] => {
  const found = [...new Set(names)].map((name) => componentOf(name, platform));
  if (found.filter(({ isOverlay }) => isOverlay).length > 1)
    throw new WrongUsage("--component: two of these are forms of the whole overlay: choose one");
  return fitting(found);
};

/** The namespace that a flag names, where it is one. */
export const namespaceFlag = (flag: string, name: string | undefined): string | undefined => {
  if (name !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u.test(name))
    throw new WrongUsage(`--${flag}: "${name}": must consist of a-z, 0-9 and -, at most 63 of them`);
  return name;
};

const secondsOf = (text: string): number => {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400)
    throw new WrongUsage(`--timeout: "${text}": give whole seconds, from 1 to 86400`);
  return seconds;
};

/** What deploy and uninstall are both told. */
export type ClusterOptions = {
  readonly platform: Platform;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly components: readonly Component[];
  /** Absolute path of the folder of --write. */
  readonly folder: string | undefined;
  readonly timeoutSeconds: number;
  readonly isDryRun: boolean;
};

type ClusterValues = {
  readonly platform?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly component: readonly string[];
  readonly write?: string | undefined;
  readonly timeout: string;
  readonly "dry-run": boolean;
};

/** Reads the values of CLUSTER_FLAGS. Paths are relative to `cwd`. Throws WrongUsage. */
export const clusterOptions = (values: ClusterValues, cwd: string): ClusterOptions => {
  const platform = platformOf(values.platform);
  return {
    platform,
    context: values.context,
    namespace: namespaceFlag("namespace", values.namespace),
    components: componentsOf(values.component, platform),
    folder: values.write === undefined ? undefined : resolve(cwd, values.write),
    timeoutSeconds: secondsOf(values.timeout),
    isDryRun: values["dry-run"],
  };
};
