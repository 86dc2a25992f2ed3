import { once } from "node:events";
import { parseArgs } from "node:util";

import { startCluster } from "./index.ts";

const { values } = parseArgs({
  options: {
    level: { type: "string", default: "api" },
    image: { type: "string", multiple: true, default: [] },
    "helper-image": { type: "string" },
  },
});
if (values.level !== "api" && values.level !== "node") throw new Error("--level is api or node");
const began = Date.now();
const say = (line: string): void => {
  process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
};
const helper = values["helper-image"];
await using cluster = await startCluster({
  level: values.level,
  images: values.image,
  onProgress: say,
  ...(helper === undefined ? {} : { helperImage: helper }),
});
say(`ready at ${cluster.server}; Ctrl-C ends it`);
process.stdout.write(`export KUBECONFIG=${cluster.kubeconfig}\n`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
say("stopping");
