import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsFiles } from "../../../functions/shared/serve/tls-files.ts";

type Texts = Readonly<Record<string, string>>;

/** A Secret as the kubelet mounts it: files are links through `..data`, which one rename leads to a new folder. */
export class MountedSecret {
  readonly #folder = mkdtempSync(join(tmpdir(), "sampledb-mounted-"));
  #version = 0;

  /** Where certificate and key are, from the first `put` on. */
  get files(): TlsFiles {
    return { certFile: join(this.#folder, "tls.crt"), keyFile: join(this.#folder, "tls.key") };
  }

  /** Replaces all files at once. */
  put(texts: Texts): void {
    const name = `..version-${(this.#version += 1)}`;
    mkdirSync(join(this.#folder, name));
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(this.#folder, name, file), text);
    symlinkSync(name, join(this.#folder, "..data_tmp"));
    renameSync(join(this.#folder, "..data_tmp"), join(this.#folder, "..data"));
    if (this.#version === 1)
      for (const file of Object.keys(texts)) symlinkSync(join("..data", file), join(this.#folder, file));
    else rmSync(join(this.#folder, `..version-${this.#version - 1}`), { recursive: true });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
