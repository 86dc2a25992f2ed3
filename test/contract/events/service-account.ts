import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificates } from "../../support/cluster/certificates.ts";

/** A service account's folder as the kubelet mounts it, and a certificate by which an API server at 127.0.0.1 is trusted. */
export type ServiceAccount = AsyncDisposable & {
  readonly folder: string;
  readonly tls: { readonly cert: string; readonly key: string };
  /** Another token, as the kubelet brings it: a new folder, and a link to it that is swapped in one step. */
  readonly rotate: (token: string) => Promise<void>;
};

export const makeServiceAccount = async (token: string): Promise<ServiceAccount> => {
  const root = await mkdtemp(join(tmpdir(), "sampledb-account-"));
  const [pki, folder] = [join(root, "pki"), join(root, "mounted")];
  await makeCertificates(pki, ["127.0.0.1"]);
  await mkdir(folder);
  let generation = 0;
  const rotate = async (next: string): Promise<void> => {
    generation += 1;
    const data = `..${generation}`;
    await mkdir(join(folder, data));
    await writeFile(join(folder, data, "token"), next);
    await writeFile(join(folder, data, "ca.crt"), await readFile(join(pki, "ca.crt")));
    await symlink(data, join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    await rm(join(folder, `..${generation - 1}`), { recursive: true, force: true });
  };
  await rotate(token);
  for (const file of ["token", "ca.crt"]) await symlink(join("..data", file), join(folder, file));
  const read = (file: string): Promise<string> => readFile(join(pki, file), "utf8");
  return {
    folder,
    tls: { cert: await read("apiserver.crt"), key: await read("apiserver.key") },
    rotate,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
};
