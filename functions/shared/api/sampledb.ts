/** What a SampleDB is, as the API server holds it. Shapes only: the rules are in rules/, the schema in schema.ts. */

/** The part of Kubernetes' ObjectMeta that SampleDB's functions read. Times are RFC 3339 strings. */
export type ObjectMeta = {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** One key of a ConfigMap or Secret in the SampleDB's namespace. */
export type KeyRef = { readonly name: string; readonly key: string };

/** One SQL script: exactly one of the two references is set. */
export type InitScript = { readonly configMapKeyRef?: KeyRef; readonly secretKeyRef?: KeyRef };

/** A Kubernetes quantity as a user may write it: `10Gi`, or a whole number as in `cpu: 2`. */
export type Quantity = string | number;

/** Compute resources of the database container, as in a Pod: resource name to quantity. */
export type Resources = {
  readonly requests?: Readonly<Record<string, Quantity>>;
  readonly limits?: Readonly<Record<string, Quantity>>;
};

export type DeletionPolicy = "Retain" | "Wipe";

export type SampleDBSpec = {
  /** PostgreSQL major version. */
  readonly version?: string;
  /** Container image instead of the catalog's. */
  readonly image?: string;
  readonly storage?: { readonly size?: Quantity; readonly storageClassName?: string };
  readonly database?: { readonly name?: string; readonly owner?: string };
  readonly init?: readonly InitScript[];
  readonly resources?: Resources;
  readonly deletion?: { readonly policy?: DeletionPolicy; readonly protection?: boolean };
  readonly paused?: boolean;
};

/** A spec after `withDefaults`: what the plans work from. */
export type CompleteSpec = {
  readonly version: string;
  readonly image?: string;
  readonly storage: { readonly size: string; readonly storageClassName?: string };
  readonly database: { readonly name: string; readonly owner: string };
  readonly init: readonly InitScript[];
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly deletion: { readonly policy: DeletionPolicy; readonly protection: boolean };
  readonly paused: boolean;
};

/** metav1.Condition. */
export type Condition = {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
};

export type SampleDBStatus = {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** Service Binding "provisioned service": the Secret that an application binds to. */
  readonly binding?: { readonly name: string };
  /** PostgreSQL major version of the data. */
  readonly version?: string;
  /** host:port inside the cluster. */
  readonly endpoint?: string;
  readonly storage?: {
    readonly claim: string;
    readonly capacity?: string;
    readonly storageClassName?: string;
  };
};

export type SampleDB = {
  readonly apiVersion: "sampledb.dev/v1";
  readonly kind: "SampleDB";
  readonly metadata: ObjectMeta;
  readonly spec?: SampleDBSpec;
  readonly status?: SampleDBStatus;
};
