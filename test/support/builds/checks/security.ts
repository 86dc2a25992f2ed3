import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Check } from "../build.ts";
import { containersOf } from "../workload.ts";
import type { Container, Workload } from "../workload.ts";

const DOCKERFILE = resolve(import.meta.dirname, "../../../../functions/Dockerfile");

/** Of the image, which runs where no manifest says another. */
const imageUser = (): number => {
  const users = [...readFileSync(DOCKERFILE, "utf8").matchAll(/^USER (\S+)$/gmu)];
  return Number((users.at(-1)?.[1] ?? "root").split(":")[0]);
};

const ofContainer = (
  { pod, maker }: Workload,
  { securityContext = {} }: Container,
): Readonly<Record<string, boolean>> => {
  const both = { ...pod.securityContext, ...securityContext };
  // OpenFaaS' patches leave the user to the image.
  const user = both.runAsUser ?? (maker === "OpenFaaS" ? imageUser() : Number.NaN);
  return {
    "runAsNonRoot is not true": both.runAsNonRoot === true,
    "runAsUser is root, or nobody is named": user > 0,
    "allowPrivilegeEscalation is not false": securityContext.allowPrivilegeEscalation === false,
    "readOnlyRootFilesystem is not true": securityContext.readOnlyRootFilesystem === true,
    "capabilities are not dropped": securityContext.capabilities?.drop?.join(" ") === "ALL",
    "capabilities are added": securityContext.capabilities?.add === undefined,
    "seccompProfile is not RuntimeDefault": both.seccompProfile?.type === "RuntimeDefault",
  };
};

/** No process runs as root, gains rights or writes its root; no Service of the namespace puts names into its environment. */
export const security: Check = ({ workloads }) =>
  workloads.flatMap((workload) => [
    ...containersOf(workload).flatMap(([at, container]) =>
      Object.entries(ofContainer(workload, container))
        .filter(([, isKept]) => !isKept)
        .map(([fault]) => `${workload.what}: ${at}.securityContext: ${fault}`),
    ),
    ...(workload.pod.enableServiceLinks === false
      ? []
      : [`${workload.what}: ${workload.path}.spec.enableServiceLinks is not false`]),
  ]);
