import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const DOCKERFILE = resolve(import.meta.dirname, "../../../functions/Dockerfile");

/** What the image sets in every function's environment, such as V8's bounds. */
export const imageEnvironment = (): Readonly<Record<string, string>> => {
  const lines = readFileSync(DOCKERFILE, "utf8").matchAll(/^ENV (.*)$/gmu);
  const settings = [...lines].flatMap(([, line = ""]) => [...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/gu)]);
  return Object.fromEntries(settings.map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]));
};
