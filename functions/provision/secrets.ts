import { childMetadata } from "../shared/api/child-metadata.ts";
import { ANNOTATION } from "../shared/api/markers.ts";
import type { Secret } from "../shared/kube/kinds.ts";
import { PORT, type Subject, hostOf } from "./subject.ts";

/** A Secret as it is written, with data in base64. */
export type DesiredSecret = Secret & {
  readonly apiVersion: "v1";
  readonly kind: "Secret";
  readonly metadata: ReturnType<typeof childMetadata>;
  readonly data: Readonly<Record<string, string>>;
};

const encoded = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, text]) => [key, Buffer.from(text, "utf8").toString("base64")]),
  );

const metadata = (subject: Subject, name: string): ReturnType<typeof childMetadata> =>
  childMetadata(subject, name, {
    annotations: {
      [ANNOTATION.databaseName]: subject.spec.database.name,
      [ANNOTATION.databaseOwner]: subject.spec.database.owner,
    },
  });

/** What applications bind to: Service Binding's well-known keys for the owner role. */
export const ownerSecret = (subject: Subject, password: string): DesiredSecret => {
  const host = hostOf(subject);
  const { name: database, owner: username } = subject.spec.database;
  const part = encodeURIComponent;
  const uri = `postgresql://${part(username)}:${part(password)}@${host}:${PORT}/${part(database)}`;
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: "servicebinding.io/postgresql",
    metadata: metadata(subject, subject.names.secret),
    data: encoded({
      type: "postgresql",
      provider: "sampledb",
      host,
      port: String(PORT),
      database,
      username,
      password,
      uri,
    }),
  };
};

/** Credentials of `postgres`, for the start script, the init Job and administrators. */
export const superuserSecret = (subject: Subject, password: string): DesiredSecret => ({
  apiVersion: "v1",
  kind: "Secret",
  type: "kubernetes.io/basic-auth",
  metadata: metadata(subject, subject.names.superuserSecret),
  data: encoded({ username: "postgres", password }),
});

/** The password that a Secret holds; undefined when there is none. */
export const passwordIn = (secret: Secret | undefined): string | undefined => {
  const password = Buffer.from(secret?.data?.["password"] ?? "", "base64").toString("utf8");
  return password === "" ? undefined : password;
};
