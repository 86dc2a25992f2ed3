import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { bundle } from "../../support/build/bundle.ts";
import { imageEnv } from "../../support/build/image-env.ts";
import { freePort } from "../../support/cluster/free-port.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { plainApi } from "../../support/plain-api.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import { makeTlsFolder } from "../../support/tls-folder.ts";
import type { TlsFolder } from "../../support/tls-folder.ts";
import { compiledGo } from "../compiled-go.ts";
import { bareCrd } from "./bare-crd.ts";
import { installPepr } from "./pepr.ts";
import { CERTIFY, GO_MODULE, withOurWebhooks, withPlainWebhooks, without } from "./sides.ts";
import type { Side } from "./sides.ts";

/** An API server on which every side can be created on, once its webhook runs and is installed. */
export type Scene = AsyncDisposable & {
  readonly cluster: LocalCluster;
  readonly sides: readonly Side[];
  /** Clients that have so many connections. */
  readonly clients: { readonly one: PlainApi; readonly many: PlainApi };
  /** Bytes of what a process of ours loads. */
  readonly bundleBytes: number;
};

/** Connections of the client that is many clients. */
export const AT_ONCE = 16;

const catalogIn = async (folder: string): Promise<string> => {
  await mkdir(folder);
  const { default: standard, latest, images } = BUILT_IN_CATALOG;
  for (const [key, text] of Object.entries({ default: standard, latest, ...images }))
    await writeFile(join(folder, key), text);
  return folder;
};

type Place = {
  readonly folder: string;
  readonly tls: TlsFolder;
  readonly kubeconfig: string;
  readonly catalog: string;
  readonly say: (line: string) => void;
};

const goSide = async ({ tls, kubeconfig, catalog, say }: Place): Promise<Side> => {
  const port = await freePort();
  const argv = [await compiledGo(GO_MODULE, say)];
  const certificate = { CERT_DIR: dirname(tls.files.certFile) };
  const env = { ...certificate, KUBECONFIG: kubeconfig, CATALOG_DIR: catalog, PORT: `${port}` };
  return withPlainWebhooks(
    "go",
    { argv, env, port, ca: tls.ca },
    { mutate: "/mutate-sampledb-dev-v1-sampledb", validate: "/validate-sampledb-dev-v1-sampledb" },
  );
};

const peprSide = async ({ folder, tls, kubeconfig, catalog, say }: Place): Promise<Side> => {
  const port = await freePort();
  const argv = await installPepr(join(folder, "pepr"), say);
  const certificate = { SSL_CERT_PATH: tls.files.certFile, SSL_KEY_PATH: tls.files.keyFile };
  const settings = { NODE_ENV: "production", PEPR_API_PATH: "secret", KUBECONFIG: kubeconfig };
  const env = { ...certificate, ...settings, CATALOG_DIR: catalog, PORT: `${port}` };
  const paths = { mutate: "/mutate/secret", validate: "/validate/secret" };
  return withPlainWebhooks("pepr", { argv, env, port, ca: tls.ca }, paths);
};

/** As the image runs it. */
const ourSide = async ({ tls, catalog }: Place, bundled: string): Promise<Side> => {
  const port = await freePort();
  const certificate = { TLS_CERT_FILE: tls.files.certFile, TLS_KEY_FILE: tls.files.keyFile };
  const env = { ...(await imageEnv()), ...certificate, CATALOG_DIR: catalog, PORT: `${port}` };
  return withOurWebhooks({ argv: [process.execPath, bundled], env, port, ca: tls.ca });
};

const prepare = async ({ kubectl }: LocalCluster, sides: readonly Side[]): Promise<void> => {
  await installCrds(kubectl);
  const namespaces = [...sides.map(({ name }) => name), "sampledb-system", "pepr-system"];
  for (const name of namespaces) await kubectl(["create", "namespace", name]);
  const items = [bareCrd(), ...CERTIFY];
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const isServed = async (): Promise<true> => {
    await kubectl(["get", "sampledbs.bare.example.com", "--all-namespaces"]);
    return true;
  };
  await waitUntil(isServed, { what: "the CRD to be served", timeoutMs: 60_000, everyMs: 100 });
};

/** An API server and all sides, none of whose webhooks runs or is installed yet. */
export const startScene = async (say: (line: string) => void): Promise<Scene> => {
  const cluster = await startCluster({ level: "api", auditLog: false, onProgress: say });
  const folder = await mkdtemp(join(tmpdir(), "bench-admission-"));
  const tls = await makeTlsFolder();
  await tls.renew();
  const { kubeconfig } = cluster;
  const place = { folder, tls, kubeconfig, catalog: await catalogIn(join(folder, "catalog")), say };
  const { file, metafile } = await bundle("admission", join(folder, "dist"));
  const sides = [
    without("none"),
    without("cel"),
    await goSide(place),
    await peprSide(place),
    await ourSide(place, file),
  ];
  await prepare(cluster, sides);
  const clients = { one: await plainApi(kubeconfig, 1), many: await plainApi(kubeconfig, AT_ONCE) };
  return {
    cluster,
    sides,
    clients,
    bundleBytes: Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0),
    [Symbol.asyncDispose]: async () => {
      for (const client of Object.values(clients)) client.close();
      tls.remove();
      await rm(folder, { recursive: true, force: true });
      await cluster.stop();
    },
  };
};
