import { createHmac } from "node:crypto";
import type { ChildNames } from "../api/child-names.ts";
import type { Secret } from "./kinds.ts";

const passwordOf = (secrets: readonly Secret[], name: string): string =>
  secrets.find(({ metadata }) => metadata?.name === name)?.data?.["password"] ?? "";

/**
 * Tells whether either password changed, 64 hexadecimal digits; undefined while one is missing. It stands on the claim, which more people
 * may read than the Secrets: each password is the other's key, so that a short one cannot be guessed from it.
 */
export const credentialsDigest = (
  { secret, superuserSecret }: ChildNames,
  secrets: readonly Secret[],
): string | undefined => {
  const [owner, superuser] = [passwordOf(secrets, secret), passwordOf(secrets, superuserSecret)];
  return owner === "" || superuser === ""
    ? undefined
    : createHmac("sha256", superuser).update(owner).digest("hex");
};
