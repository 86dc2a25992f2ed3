import { type AuditEvent, auditEvents } from "../audit-log.ts";

/** What a service account of `sampledb-system` asked for: `verb resource`, each once, sorted; and the requests that were forbidden. */
export type RightsUsed = { readonly used: readonly string[]; readonly forbidden: readonly string[] };

const rightsOf = ({ verb, objectRef, responseStatus }: AuditEvent): readonly string[] => {
  const resource = [objectRef?.resource, objectRef?.subresource].filter(Boolean).join("/");
  // An apply that makes the object needs the right to create it too.
  const isMaking = verb === "patch" && responseStatus?.code === 201;
  return isMaking ? [`patch ${resource}`, `create ${resource}`] : [`${verb} ${resource}`];
};

/** Reads them from the API server's audit log. */
export const rightsUsed = async (auditLogFile: string, account: string): Promise<RightsUsed> => {
  const name = `system:serviceaccount:sampledb-system:${account}`;
  const events = (await auditEvents(auditLogFile)).filter(({ user }) => user.username === name);
  return {
    used: [...new Set(events.flatMap((event) => rightsOf(event)))].toSorted(),
    forbidden: events
      .filter(({ responseStatus }) => responseStatus?.code === 403)
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`),
  };
};
