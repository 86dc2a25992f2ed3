import * as fc from "fast-check";

const digest = `@sha256:${"0a".repeat(32)}`;

// Each field: often something right, often something nearly right, seldom anything.
const mostly = (right: readonly unknown[], near: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right) },
    { weight: 5, arbitrary: near },
    {
      weight: 1,
      arbitrary: fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), fc.string(), fc.constant([])),
    },
  );

const fields = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(model, { requiredKeys: [] });

const quantity = fc.oneof(
  fc.stringMatching(/^[+-]?[0-9]{0,4}[.]?[0-9]{0,3}([eE][+-]?[0-9]{1,2}|[numkMGTPE]|[KMGTPE]i)?$/u),
  fc.stringMatching(/^[1-9][0-9]{0,18}(Gi|Mi|m)?$/u),
  fc.integer({ min: -2, max: 2 ** 40 }),
);
const text = (pattern: RegExp): fc.Arbitrary<string> => fc.stringMatching(pattern);

const image = fc.oneof(
  text(
    /^([a-zA-Z0-9.-]{1,6}(:[0-9]{1,4})?\/)?[a-z0-9._-]{1,6}(\/[a-z0-9._-]{1,5})?(:[a-zA-Z0-9._-]{1,6})?$/u,
  ),
  text(/^postgres:([0-9.]{1,3}[-_.])?(pg|postgres|postgresql)?-?1[4-9]([-_.][a-z0-9]{1,3})?$/u),
  text(/^a:[0-9a-z.-]{0,4}$/u).map((named) => named + digest),
);

const amounts = fc.dictionary(
  mostly(["cpu", "memory"], fc.constantFrom("ephemeral-storage", "Memory", "gpu", "constructor")).map(String),
  mostly(["500m", "1Gi", "512Mi", 2, "256Mi"], quantity),
  { maxKeys: 4, noNullPrototype: true },
);

const reference = fields({
  name: mostly(["schema", "rows.v2"], text(/^([-a-zA-Z0-9._]{0,6}|orders|orders-superuser)$/u)),
  key: mostly(["a.sql", "b.sql"], text(/^[-a-zA-Z0-9._/ ]{0,6}$/u)),
});
const script = fc.oneof(
  fields({ configMapKeyRef: reference }),
  fields({ secretKeyRef: reference }),
  fields({ configMapKeyRef: reference, secretKeyRef: reference }),
);

const identifier = text(/^(pg_|postgres|template[01]|public|none)?[a-zA-Z0-9_-]{0,3}$/u);

const right: fc.Arbitrary<object> = fields({
  version: fc.constantFrom("16", "17", "18"),
  image: fc.constantFrom("example.com/postgres:stable", "example.com/postgres:edge"),
  storage: fields({
    size: fc.constantFrom("1Gi", "20Gi"),
    storageClassName: fc.constantFrom("fast", "slow"),
  }),
  database: fields({ name: fc.constantFrom("app", "shop"), owner: fc.constantFrom("app", "keeper") }),
  init: fc.constantFrom([], [{ secretKeyRef: { name: "rows", key: "a.sql" } }]),
  resources: fields({
    requests: fc.constant({ cpu: "50m" }),
    limits: fc.constant({ cpu: 2, memory: "1Gi" }),
  }),
  deletion: fields({ policy: fc.constantFrom("Retain", "Wipe") }),
  paused: fc.boolean(),
});

const strange: fc.Arbitrary<object> = fields({
  version: mostly(["16", "17", "18"], fc.constantFrom("14", "19", "17.1", "", "017")),
  image: mostly(["example.com/postgres:stable", "postgres:17.5"], image),
  storage: mostly(
    [{}],
    fields({
      size: mostly(["1Gi", "2Gi", "1024Mi", 1_073_741_824], quantity),
      storageClassName: mostly(["fast", "slow"], text(/^[-a-zA-Z0-9.]{0,6}$/u)),
    }),
  ),
  database: mostly(
    [{}],
    fields({ name: mostly(["app", "shop"], identifier), owner: mostly(["app", "keeper"], identifier) }),
  ),
  init: mostly([[]], fc.array(script, { maxLength: 3 })),
  resources: mostly([{}], fields({ requests: amounts, limits: amounts })),
  deletion: mostly(
    [{}],
    fields({ policy: mostly(["Retain", "Wipe"], fc.constantFrom("retain", "Keep", "")) }),
  ),
  paused: mostly([true, false], fc.constant("yes")),
});

/** Names of SampleDBs, right and wrong. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constant("orders") },
  { weight: 1, arbitrary: text(/^[-a-z0-9]{1,44}$/u) },
  { weight: 1, arbitrary: text(/^[a-zA-Z][-a-z0-9._]{0,5}(-headless|-superuser|-1|-init)?$/u) },
);

const NAMES = ["version", "image", "storage", "database", "init", "resources", "deletion", "paused"];
const some = fc.subarray(NAMES, { minLength: 1, maxLength: 2 });

/** Specs of which one or two fields may be strange: where several are wrong, one hides what is thought of the others. */
export const arbitrarySpec: fc.Arbitrary<object> = fc
  .tuple(right, strange, some)
  .map(([spec, other, names]) =>
    Object.assign(
      {},
      spec,
      Object.fromEntries(Object.entries(other).filter(([name]) => names.includes(name))),
    ),
  );
