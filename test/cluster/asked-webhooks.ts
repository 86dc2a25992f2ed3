import { createServer } from "node:https";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { IncomingMessage } from "node:http";
import { webhookConfigurations } from "../../functions/certify/webhook-configurations.ts";
import { listen } from "../../functions/shared/serve/listen.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { makeTlsFolder } from "../support/tls-folder.ts";

type Review = { readonly request: { readonly uid: string; readonly name: string } };

/** The webhooks as certify configures them, on a server that allows everything and remembers what it was asked. */
export type AskedWebhooks = AsyncDisposable & {
  /** Which webhooks were asked since the last call, of whatever object. */
  readonly taken: () => readonly string[];
};

const answer = async (request: IncomingMessage, asked: string[]): Promise<string> => {
  const { request: review }: Review = JSON.parse(await text(request));
  asked.push(new URL(request.url ?? "/", "https://a").pathname.slice(1));
  const response = { uid: review.uid, allowed: true };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
};

const configurationsFor = (port: number, ca: string): readonly object[] => {
  const settings = { service: "admission", namespace: "sampledb-system", port: 443, readyTimeout: 1 };
  const caBundle = Buffer.from(ca).toString("base64");
  return webhookConfigurations(settings, { name: "certify", uid: "1" }, ca).map((configuration) =>
    Object.assign({}, configuration, {
      metadata: { name: "sampledb" },
      webhooks: configuration.webhooks.map((webhook) => {
        const [name = ""] = String(webhook["name"]).split(".");
        return Object.assign({}, webhook, {
          clientConfig: { caBundle, url: `https://localhost:${port}/${name}` },
        });
      }),
    }),
  );
};

/** Installs them; resolves when both are asked. */
export const startAskedWebhooks = async (cluster: LocalCluster): Promise<AskedWebhooks> => {
  const folder = await makeTlsFolder();
  await folder.renew();
  const asked: string[] = [];
  const [cert, key] = [readFileSync(folder.files.certFile), readFileSync(folder.files.keyFile)];
  const server = createServer({ cert, key }, (request, response) => {
    void answer(request, asked).then((body) => response.end(body));
  });
  const { port, close } = await listen(server, 0);
  const items = configurationsFor(port, folder.ca);
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const probe = "{apiVersion: sampledb.dev/v1, kind: SampleDB, metadata: {name: probe, namespace: shop}}";
  const areAsked = async (): Promise<true | undefined> => {
    asked.length = 0;
    await cluster.kubectl(["create", "--dry-run=server", "-f", "-"], probe);
    return asked.join(" ") === "mutate validate" || undefined;
  };
  await waitUntil(areAsked, { what: "the webhooks", timeoutMs: 120_000 });
  asked.length = 0;
  return {
    taken: () => asked.splice(0),
    [Symbol.asyncDispose]: async () => {
      await close();
      folder.remove();
    },
  };
};
