import { ANNOTATION, LABEL } from "../shared/api/markers.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { Secret } from "../shared/kube/kinds.ts";
import { type DesiredSecret, ownerSecret, passwordIn, superuserSecret } from "./secrets.ts";
import type { Subject } from "./subject.ts";

/** How new passwords come about; undefined where data may exist that an old one belongs to. */
export type NewPassword = (() => string) | undefined;

type Fields = Readonly<Record<string, string>>;

const differing = (wanted: Fields, found: Fields = {}): Fields =>
  Object.fromEntries(Object.entries(wanted).filter(([key, value]) => found[key] !== value));

/** A password that exists, byte for byte: as text, one that is none would come out another. */
const ownPassword = (found: Secret): Fields =>
  passwordIn(found) === undefined ? {} : { password: found.data?.["password"] ?? "" };

const wanting = (found: Secret, wanted: DesiredSecret): { readonly [part: string]: object } => ({
  labels: {
    ...differing(wanted.metadata.labels, found.metadata?.labels),
    // It serves again.
    ...(found.metadata?.labels?.[LABEL.retained] === undefined ? {} : { [LABEL.retained]: null }),
  },
  annotations: differing(wanted.metadata.annotations, found.metadata?.annotations),
  data: differing({ ...wanted.data, ...ownPassword(found) }, found.data),
});

/** The merge patch that brings a Secret's own fields in order, or undefined. Keys that somebody added stay. */
const repair = (found: Secret, wanted: DesiredSecret): Readonly<Record<string, unknown>> | undefined => {
  const { data, ...metadata } = wanting(found, wanted);
  const isInOrder = Object.values({ data, ...metadata }).every(
    (fields) => Object.keys(fields ?? {}).length === 0,
  );
  return isInOrder ? undefined : { metadata, data };
};

const planSecret = (
  found: Secret | undefined,
  build: (password: string) => DesiredSecret,
  newPassword: NewPassword,
): readonly Action[] => {
  const password = passwordIn(found) ?? newPassword?.();
  // Without the old password nothing here fits the data: report tells that it is missing.
  if (password === undefined) return [];
  const wanted = build(password);
  if (found === undefined) return [{ do: "create", object: wanted }];
  const patch = repair(found, wanted);
  return patch === undefined ? [] : [{ do: "merge", ref: refOf("Secret", found), patch }];
};

/**
 * Makes missing Secrets, repairs what is derived in existing ones, and takes over those that a deleted SampleDB left. A password
 * that exists is never changed, and none is made where data may exist.
 */
export const planSecrets = (
  subject: Subject,
  secrets: readonly Secret[],
  newPassword: NewPassword,
): readonly Action[] => {
  const named = (name: string): Secret | undefined =>
    secrets.find((secret) => secret.metadata?.name === name);
  const { secret, superuserSecret: superuser } = subject.names;
  return [
    ...planSecret(named(secret), (password) => ownerSecret(subject, password), newPassword),
    ...planSecret(named(superuser), (password) => superuserSecret(subject, password), newPassword),
  ];
};

/** uid of the SampleDB that a Secret was made for; undefined without such a Secret. */
export const secretOwner = (secrets: readonly Secret[], name: string): string | undefined =>
  secrets.find((secret) => secret.metadata?.name === name)?.metadata?.annotations?.[ANNOTATION.ownerUid];
