import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueCa, issueLeaf } from "../../functions/certify/issue-certificate.ts";
import type { TlsFiles } from "../../functions/shared/serve/tls-files.ts";

/** A folder for a server's certificate, as a mounted Secret would be. It is empty at first. */
export type TlsFolder = {
  readonly files: TlsFiles;
  /** PEM of the CA that vouches for every certificate put there. */
  readonly ca: string;
  /** Puts a new certificate for `localhost` there. */
  readonly renew: () => Promise<void>;
  readonly remove: () => void;
};

export const makeTlsFolder = async (): Promise<TlsFolder> => {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  const ca = await issueCa(new Date());
  return {
    files,
    ca: ca.certificate,
    renew: async () => {
      const leaf = await issueLeaf(ca, ["localhost"], new Date());
      writeFileSync(files.certFile, leaf.certificate);
      writeFileSync(files.keyFile, leaf.key);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
