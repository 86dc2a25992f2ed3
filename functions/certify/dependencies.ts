import type { Api } from "./api.ts";
import type { Settings } from "./settings.ts";

/** What a run works with. */
export type Dependencies = {
  readonly api: Api;
  readonly settings: Settings;
  /** GET /readyz of admission, trusting `ca` (PEM) alone: undefined when it is ready, else why not. Never rejects. */
  readonly probe: (ca: string) => Promise<string | undefined>;
  readonly now: () => Date;
  /** Waits for so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
  readonly log: (message: string) => void;
};
