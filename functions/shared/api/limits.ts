/** Numbers that the CRD and the rules share. Sizes are bytes. */

/** An empty PostgreSQL writes about 40 MiB, and keeps at least 80 MiB of write-ahead log. */
export const MIN_STORAGE = { bytes: 256 * 2 ** 20, text: "256Mi" } as const;

/** PostgreSQL's default settings (128 MB of shared buffers, lazily touched) start in this much. */
export const MIN_MEMORY = { bytes: 128 * 2 ** 20, text: "128Mi" } as const;

/** Kubernetes counts in 64 bits and silently takes the most that these hold for anything above. */
export const ABOVE_AMOUNTS = { value: 2 ** 63, text: "8Ei" } as const;

/** Below this, the shared buffers of PostgreSQL's default settings, once touched, leave too little for its connections. */
export const ROOMY_MEMORY = { bytes: 256 * 2 ** 20, text: "256Mi" } as const;

export const MAX_INIT_SCRIPTS = 16;

/** PostgreSQL cuts longer identifiers silently. */
export const MAX_IDENTIFIER_LENGTH = 63;

export const RESOURCE_NAMES = ["cpu", "memory", "ephemeral-storage"] as const;

/** Databases that initdb makes. */
export const RESERVED_DATABASES = ["postgres", "template0", "template1"] as const;

/** Roles that exist or that PostgreSQL refuses; a role named like our bookkeeping schema would work in it by default. */
export const RESERVED_OWNERS = ["postgres", "public", "none", "sampledb"] as const;

/** A SampleDB so named would share a Service or a Secret with the SampleDB of the name before the suffix. */
export const RESERVED_SUFFIXES = ["-headless", "-superuser"] as const;
