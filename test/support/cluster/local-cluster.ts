/** What a local cluster runs: `api` is etcd, API server and controller manager; `node` adds everything that runs pods. */
export type ClusterLevel = "api" | "node";

/** Everything that a cluster may run as a process, by the name that `stopComponent` takes. */
export type ComponentName =
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-scheduler"
  | "containerd"
  | "kubelet"
  | "kube-proxy"
  | "coredns"
  | "local-path-provisioner";

export type ClusterOptions = {
  readonly level: ClusterLevel;
  /** Paths of docker-archive tars, imported before the node is Ready; one must hold `localhost/pause:3`. */
  readonly images?: readonly string[];
  /** The image whose /bin/sh makes and removes local-path's folders. Default: `localhost/postgres:17`. */
  readonly helperImage?: string;
  /** Told one line at a time what is being done. */
  readonly onProgress?: (line: string) => void;
  /** Write every request's metadata to `auditLogFile`. Default: true. */
  readonly auditLog?: boolean;
};

/** A running cluster that belongs to this process: it ends with `stop()`, or by itself when the process dies. */
export type LocalCluster = {
  readonly level: ClusterLevel;
  /** Path of a kubeconfig with all rights (user `admin`, group `system:masters`). */
  readonly kubeconfig: string;
  /** The API server's URL, reachable from this host. */
  readonly server: string;
  /** etcd's URL, reachable from this host on the level `api` alone. */
  readonly etcd: string;
  /** This host's address as the API server sees it, for webhooks that run here. */
  readonly hostAddress: string;
  /** One JSON audit event a line, written before the request is answered; empty when `auditLog` is false. */
  readonly auditLogFile: string;
  /** Folder of the components' logs, one `<component>.log` each. */
  readonly logFolder: string;
  /** Runs kubectl as admin and gives its stdout; throws with its stderr when it fails. */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  /** Ends one component and waits until it is gone. Default signal: SIGKILL. Its containers go on. */
  stopComponent(name: ComponentName, signal?: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Starts a stopped component again; for the API server it waits until that is ready. */
  startComponent(name: ComponentName): Promise<void>;
  /** Imports docker-archive tars into containerd (level `node` only). */
  importImages(tars: readonly string[]): Promise<void>;
  /** Gives an image of the node's containerd one more name (level `node` only). */
  tagImage(image: string, name: string): Promise<void>;
  /** Runs a command where pod and service addresses can be reached, and gives its stdout. */
  exec(argv: readonly string[]): Promise<string>;
  /** Ends everything and removes every trace; may be called twice. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};
