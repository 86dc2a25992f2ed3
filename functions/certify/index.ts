import { log } from "../shared/serve/log.ts";
import { run } from "./run.ts";

try {
  await run(process.env);
} catch (cause) {
  log({
    level: "error",
    function: "certify",
    message: cause instanceof Error ? cause.message : String(cause),
  });
  process.exitCode = 1;
}
