import { readFileSync, statSync } from "node:fs";

/** The text of a mounted file, read again when the file changes. Each call throws where it cannot be read. */
export const fileText = (file: string): (() => string) => {
  let seen = "";
  let text = "";
  return () => {
    // A mounted file is a link into a folder that is swapped as a whole.
    const { ino, mtimeMs, size } = statSync(file);
    const stamp = `${ino} ${mtimeMs} ${size}`;
    if (stamp !== seen) {
      text = readFileSync(file, "utf8");
      seen = stamp;
    }
    return text;
  };
};
