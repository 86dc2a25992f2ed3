import { allowed, refused } from "./entry.ts";
import type { Entry } from "./entry.ts";

const limit = (memory: unknown) => ({ resources: { limits: { memory } } });
const request = (name: string, amount: unknown) => ({ resources: { requests: { [name]: amount } } });
const size = (amount: unknown) => ({ storage: { size: amount } });

/** Quantities: spec.storage and spec.resources. */
export const amounts: readonly Entry[] = [
  ...[
    "256Mi",
    "1Gi",
    "10G",
    "1e9",
    "1E9",
    "+1Gi",
    "0.5Gi",
    ".5Gi",
    "1.Gi",
    "1e+10",
    "1P",
    "1E",
    "7Ei",
    268_435_456,
    "1000000000000m",
  ].map((amount) => allowed("storageSize", `allows a size of ${JSON.stringify(amount)}`, size(amount))),
  ...[
    "255Mi",
    "1",
    "0",
    "-10Gi",
    "10GB",
    "10gb",
    "ten",
    "10 Gi",
    "NaN",
    "Infinity",
    "1e",
    "1e400",
    "1e3Gi",
    "0x10000000",
    "10Gi\n",
    "1,5Gi",
    "8Ei",
    "10E",
    "1Zi",
    "++1Gi",
    "1_000_000_000",
    "٣Gi",
    1,
  ].map((amount) => refused("storageSize", `refuses a size of ${JSON.stringify(amount)}`, size(amount))),
  refused("storageSize", "refuses an empty size", size("")),
  refused("shape", "refuses a size with a fraction that is no text", size(1.5)),
  refused("shape", "refuses a size that is a truth value", size(true)),
  refused("shape", "refuses a size that is a list", size(["1Gi"])),
  refused("shape", "refuses a size of 33 characters", size(`1${"0".repeat(32)}`)),
  refused("storageSize", "refuses a size beyond 64 bits", size(1e30)),

  allowed("storageClass", "allows a name with dots", { storage: { storageClassName: "fast.example.com" } }),
  ...["Fast", "fast_ssd", "-fast", "fast..ssd", "fast."].map((storageClassName) =>
    refused("storageClass", `refuses the class ${storageClassName}`, { storage: { storageClassName } }),
  ),
  refused("shape", "refuses an empty class", { storage: { storageClassName: "" } }),

  allowed("storageKept", "allows the same bytes in other words", size("1024Mi"), { from: size("1Gi") }),
  allowed("storageKept", "allows the same bytes as a number", size(1_073_741_824), {
    from: size("1Gi"),
  }),
  allowed("storageKept", "allows the default to be written out", size("1Gi"), { from: {} }),
  allowed("storageKept", "allows to grow", size("20Gi"), { from: size("2Gi") }),
  allowed("storageKept", "allows to grow beyond the default", size("2Gi"), { from: {} }),
  refused("storageKept", "refuses to shrink", size("1Gi"), { from: size("2Gi") }),
  refused("storageKept", "refuses to shrink to the default", {}, { from: size("2Gi") }),
  refused(
    "storageKept",
    "refuses another class",
    { storage: { storageClassName: "b" } },
    { from: { storage: { storageClassName: "a" } } },
  ),
  refused(
    "storageKept",
    "refuses a class where the default was taken",
    { storage: { storageClassName: "b" } },
    { from: {} },
  ),
  refused(
    "storageKept",
    "refuses to forget the class",
    { storage: {} },
    { from: { storage: { storageClassName: "a" } } },
  ),

  allowed("resourceAmounts", "allows all three names", {
    resources: { limits: { cpu: "1500m", memory: "1Gi", "ephemeral-storage": "1Gi" } },
  }),
  allowed("resourceAmounts", "allows a whole number", request("cpu", 2)),
  allowed("resourceAmounts", "allows nothing to be named", { resources: { requests: {}, limits: {} } }),
  allowed("resourceAmounts", "allows billionths of a core", request("cpu", "1000000n")),
  allowed("resourceAmounts", "allows a small request for memory", request("memory", "1Mi")),
  allowed("resourceAmounts", "allows the least memory", limit("128Mi")),
  allowed("resourceAmounts", "allows the least memory as a power", limit("134.217728e6")),
  ...["127Mi", "128M", "134217727", 1].map((memory) =>
    refused("resourceAmounts", `refuses a limit of ${memory} of memory`, limit(memory)),
  ),
  ...["512m", "512000000u", "5n", "+512m", "0.5m"].map((amount) =>
    refused("resourceAmounts", `refuses ${amount} of memory`, request("memory", amount)),
  ),
  refused(
    "resourceAmounts",
    "refuses thousandths of a byte of ephemeral-storage",
    request("ephemeral-storage", "1m"),
  ),
  ...["two", "", "0", "-1", "1 core", "1e", "NaN", "1cpu", "8Ei", "10E", 0, -1].map((amount) =>
    refused("resourceAmounts", `refuses ${JSON.stringify(amount)} of a core`, request("cpu", amount)),
  ),
  ...["memroy", "CPU", "nvidia.com/gpu", "constructor", "__proto__", "hugepages-2Mi", ""].map((name) =>
    refused("resourceAmounts", `refuses the resource ${JSON.stringify(name)}`, {
      resources: { limits: Object.fromEntries([[name, "1"]]) },
    }),
  ),
  refused("shape", "refuses an amount with a fraction that is no text", request("cpu", 0.5)),
  refused("shape", "refuses an amount that is an object", request("cpu", { amount: 1 })),
  refused("resourceAmounts", "refuses four names", { resources: { limits: { a: 1, b: 1, c: 1, d: 1 } } }),

  allowed("requestWithinLimit", "allows equal amounts in other words", {
    resources: { requests: { cpu: 1, memory: "1Gi" }, limits: { cpu: "1000m", memory: "1024Mi" } },
  }),
  allowed("requestWithinLimit", "allows a request alone", request("memory", "64Gi")),
  allowed("requestWithinLimit", "allows a low limit alone", limit("128Mi")),
  refused("requestWithinLimit", "refuses a request of memory above its limit", {
    resources: { requests: { memory: "1025Mi" }, limits: { memory: "1Gi" } },
  }),
  refused("requestWithinLimit", "refuses a request of cores above its limit", {
    resources: { requests: { cpu: "1.001" }, limits: { cpu: 1 } },
  }),
  refused(
    "requestWithinLimit",
    "refuses a limit that an update lowers below the request",
    { resources: { requests: { memory: "1Gi" }, limits: { memory: "512Mi" } } },
    { from: { resources: { requests: { memory: "1Gi" }, limits: { memory: "1Gi" } } } },
  ),
];
