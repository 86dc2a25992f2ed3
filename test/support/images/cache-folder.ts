import { homedir } from "node:os";
import path from "node:path";

/** The folder outside the checkout that keeps what is expensive to make again: `${XDG_CACHE_HOME:-~/.cache}/sampledb`. */
export function cacheFolder(): string {
  const xdg = process.env["XDG_CACHE_HOME"];
  // The XDG specification says to ignore a path that is not absolute.
  const base = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(homedir(), ".cache");
  return path.join(base, "sampledb");
}
