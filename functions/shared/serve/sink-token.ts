import { readFileSync, statSync } from "node:fs";

/** The header that proves who sends; none where no token is asked for. */
export type Authorization = { readonly authorization?: string };

/**
 * The token in `SINK_TOKEN_FILE`, for the header of a delivery; read again when the file changes, which the kubelet makes it do well before the
 * token ends. Throws where the file cannot be read.
 */
export const sinkToken = (env: NodeJS.ProcessEnv): (() => Authorization) => {
  const file = env["SINK_TOKEN_FILE"] ?? "";
  if (file === "") return () => ({});
  let seen = "";
  let authorization = "";
  return () => {
    // A mounted token is a link into a folder that is swapped as a whole.
    const { ino, mtimeMs, size } = statSync(file);
    const stamp = `${ino} ${mtimeMs} ${size}`;
    if (stamp !== seen) {
      authorization = `Bearer ${readFileSync(file, "utf8").trim()}`;
      seen = stamp;
    }
    return { authorization };
  };
};
