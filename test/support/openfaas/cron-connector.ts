import type { OutgoingHttpHeaders } from "node:http";

/** How cron-connector calls a function: an empty body, no content type, and nothing that proves who it is. It tries nothing again. */
export const cronTick = (): { readonly method: string; readonly headers: OutgoingHttpHeaders } => ({
  method: "POST",
  headers: {
    "user-agent": "openfaas/cron-connector",
    "x-topic": "cron-function",
    "x-connector": "connector-sdk openfaas/cron-connector",
    "accept-encoding": "gzip",
  },
});
