import { Fault } from "./fault.ts";

/**
 * What `parse` makes of the answer to a GET of `path`. Throws a Fault of sort `unavailable` where the answer is no JSON: then something
 * between us and the API server cut it off.
 */
export const parsedAnswer = <T>(path: string, parse: () => T): T => {
  try {
    return parse();
  } catch (cause) {
    throw new Fault("unavailable", `GET ${path.split("?")[0] ?? ""}: the answer is cut off`, { cause });
  }
};
