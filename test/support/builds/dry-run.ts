import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { sender } from "../../../functions/shared/serve/send.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { whatIs } from "./workload.ts";

/** Judges objects as a real API server would that is asked to make them, and leaves nothing there. */
export type DryRun = {
  /** What it refuses or warns about, one sentence each. */
  readonly problemsOf: (object: KubeObject) => Promise<readonly string[]>;
  readonly close: () => void;
};

type Resources = {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
};

/** The text of a warning header: `299 - "text"`. */
const warningsIn = (header = ""): readonly string[] =>
  [...header.matchAll(/299 \S+ "(?<text>(?:[^"\\]|\\.)*)"/gu)].map(({ groups }) => groups?.["text"] ?? "");

const baseOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

/** A strict dry run: unknown and doubled fields, schemas, rules, policies and Pod Security all speak. */
export const dryRunOn = async (kubeconfig: string): Promise<DryRun> => {
  const access = await readAccess({ KUBECONFIG: kubeconfig })();
  const { send, close } = sender(access.target, 4);
  const ask = (method: string, path: string, body?: object) =>
    send({
      method,
      path,
      headers: {
        ...access.headers,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
  const groups = new Map<string, Promise<Resources>>();
  const resourcesOf = (apiVersion: string): Promise<Resources> => {
    const asked =
      groups.get(apiVersion) ??
      ask("GET", baseOf(apiVersion)).then(({ body }): Resources => JSON.parse(body));
    groups.set(apiVersion, asked);
    return asked;
  };
  return {
    problemsOf: async (object) => {
      const { apiVersion, kind, metadata } = object;
      const { resources } = await resourcesOf(apiVersion);
      const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
      if (found === undefined)
        return [`${whatIs(object)}: the API server does not know ${apiVersion} ${kind}`];
      // kustomize gives a namespace to kinds of which it does not know that they have none; kubectl takes it away.
      const { namespace, ...others } = metadata;
      const where = found.namespaced ? `/namespaces/${namespace ?? ""}` : "";
      // Not as an apply: that lets pass what a schema does not know where it keeps it for others.
      const path = `${baseOf(apiVersion)}${where}/${found.name}?dryRun=All&fieldValidation=Strict`;
      const made = found.namespaced ? object : { ...object, metadata: others };
      const { status, headers, body } = await ask("POST", path, made);
      const { message = "", reason }: { message?: string; reason?: string } = JSON.parse(body);
      // That is the last thing that an API server looks at.
      const isTaken = (status >= 200 && status < 300) || reason === "AlreadyExists";
      return [
        ...(isTaken ? [] : [`${whatIs(object)}: ${status} ${message}`]),
        ...warningsIn(headers.warning).map((text) => `${whatIs(object)}: warns: ${text}`),
      ];
    },
    close,
  };
};
