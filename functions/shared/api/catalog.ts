/** Which PostgreSQL versions exist and which image each runs. */
export type Catalog = {
  /** Major version that a SampleDB without `spec.version` gets. */
  readonly default: string;
  readonly latest: string;
  /** Major version to container image. */
  readonly images: Readonly<Record<string, string>>;
};

/** Every major version that the API knows; a catalog offers some of them. */
export const KNOWN_VERSIONS = ["15", "16", "17", "18"] as const;

/** The catalog where no ConfigMap is mounted: the official images. */
export const BUILT_IN_CATALOG: Catalog = {
  default: "17",
  latest: "18",
  images: {
    "15": "docker.io/library/postgres:15.15-bookworm",
    "16": "docker.io/library/postgres:16.11-bookworm",
    "17": "docker.io/library/postgres:17.7-bookworm",
    "18": "docker.io/library/postgres:18.1-bookworm",
  },
};
