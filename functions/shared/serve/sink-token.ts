import { fileText } from "./file-text.ts";

/** The header that proves who sends; none where no token is asked for. */
export type Authorization = { readonly authorization?: string };

/**
 * The first line of `SINK_TOKEN_FILE` (a token, or a secret that is shared with whoever receives), for the header of a delivery; read again when
 * the file changes, which the kubelet makes it do well before a token ends. Throws where the file cannot be read.
 */
export const sinkToken = (env: NodeJS.ProcessEnv): (() => Authorization) => {
  const file = env["SINK_TOKEN_FILE"] ?? "";
  if (file === "") return () => ({});
  const text = fileText(file);
  return () => ({ authorization: `Bearer ${text().trim().split(/\s/u)[0] ?? ""}` });
};
