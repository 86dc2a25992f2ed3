import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { isAlive, processId } from "../support/cluster/owner.ts";
import { until } from "../support/until.ts";

const STARTS_A_FUNCTION = `
  import { startFunction } from "${new URL("../support/function-process.ts", import.meta.url).href}";
  const running = startFunction("mutate", {});
  await running.url();
  process.stdout.write(running.pid + "\\n");
`;

it("a function that a script started ends when the script is killed", async () => {
  const script = spawn(process.execPath, ["--input-type=module", "-e", STARTS_A_FUNCTION], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [pid]: unknown[] = await once(createInterface({ input: script.stdout }), "line");
  const running = processId(Number(pid));
  assert.ok(isAlive(running));
  script.kill("SIGKILL");
  await until("the function's end", () => !isAlive(running), 60_000);
});
