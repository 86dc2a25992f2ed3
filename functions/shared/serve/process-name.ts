import { basename, dirname } from "node:path";

/** Which function, or group of functions, a process is: by the file that it was started with, `dist/reconcile.mjs` or `reconcile/index.ts`. */
export const processName = (file: string = process.argv[1] ?? ""): string => {
  const name = basename(file).replace(/\.\w+$/u, "");
  return name === "index" ? basename(dirname(file)) : name;
};
