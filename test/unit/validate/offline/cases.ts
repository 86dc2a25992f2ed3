export const HEAD = "apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata: {name: orders}\n";

const ALPHABET = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(97 + index));

/** Nine aliases of nine aliases, and so on: nothing to write, and 9 to the 25th to read. */
const laughs = ALPHABET.slice(1)
  .map((name, index) => `${name}: &${name} [${`*${ALPHABET[index] ?? ""}, `.repeat(9)}]`)
  .join("\n");

/** Texts, and what is told of each: `line:column: text`. */
export const CASES: readonly {
  readonly title: string;
  readonly text: string;
  readonly tells: readonly (string | RegExp)[];
}[] = [
  { title: "says nothing of a sound SampleDB", text: HEAD, tells: [] },
  { title: "says nothing of an empty text", text: "", tells: [] },
  { title: "passes over other kinds", text: "apiVersion: v1\nkind: Secret\nspec: {paused: 1}\n", tells: [] },
  { title: "passes over what is no object", text: "- a\n- b\n---\njust text\n", tells: [] },
  {
    title: "passes over a SampleDB of another group",
    text: "apiVersion: databases.example.com/v1\nkind: SampleDB\n",
    tells: [],
  },
  {
    title: "points at a value",
    text: `${HEAD}spec:\n  # why\n  deletion:\n    policy: wipe\n`,
    tells: ['7:13: spec.deletion.policy: "wipe": must be one of Retain, Wipe; did you mean Wipe?'],
  },
  {
    title: "points at the map in which something is missing",
    text: `${HEAD}spec:\n  init:\n    - configMapKeyRef:\n        name: schema\n`,
    tells: ["6:7: spec.init[0].configMapKeyRef.key: is required: key in the ConfigMap, e.g. schema.sql"],
  },
  {
    title: "points at the object where nothing of the path is there",
    text: "---\n# nothing\napiVersion: sampledb.dev/v1\nkind: SampleDB\n",
    tells: ["3:1: metadata: is required", "3:1: metadata.name: is required"],
  },
  {
    title: "points at names that hold dots",
    text: `${HEAD}spec:\n  resources:\n    limits:\n      example.com/gpu: 1\n`,
    tells: [/^7:24: spec\.resources\.limits\.example\.com\/gpu: 1: only cpu/u],
  },
  {
    title: "tells every violation of every document",
    text: `${HEAD}spec: {version: "9"}\n---\n{"apiVersion": "sampledb.dev/v1", "kind": "SampleDB", "metadata": {"name": "A"}, "spec": {"paused": 1}}\n`,
    tells: [/^4:17: spec\.version: "9"/u, /^6:101: spec\.paused: 1/u, /^6:76: metadata\.name: "A"/u],
  },
  {
    title: "judges the items of a list",
    text: "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Secret\n  - apiVersion: sampledb.dev/v1\n    kind: SampleDB\n    metadata: {name: a.b}\n",
    tells: [/^8:22: metadata\.name: "a\.b"/u],
  },
  {
    title: "says what a field was meant to be, here or elsewhere",
    text: `${HEAD}spce: {}\nspec:\n  size: 1Gi\n  storage: {class: fast}\n`,
    tells: [
      "4:1: spce: is no field of a SampleDB; did you mean spec?",
      "6:9: spec.size: is no field of a SampleDB; did you mean spec.storage.size?",
      "7:20: spec.storage.class: is no field of a SampleDB; here may stand size, storageClassName",
    ],
  },
  {
    title: "knows no field that JavaScript objects have by themselves",
    text: `${HEAD}spec: {constructor: 1, __proto__: {}}\n`,
    tells: [/^4:21: spec\.constructor: is no field/u, /^4:24: spec\.__proto__: is no field/u],
  },
  {
    title: "tells a field that stands twice",
    text: `${HEAD}spec:\n  paused: true\n  storage: {size: 1Gi, size: 2Gi}\n  paused: false\n`,
    tells: [
      "6:24: spec.storage.size: stands twice, in line 6 already: remove one",
      "7:3: spec.paused: stands twice, in line 5 already: remove one",
    ],
  },
  {
    title: "tells of two objects that nothing divides",
    text: `${HEAD}${HEAD.replace("metadata", "#")}`,
    tells: [
      "4:1: apiVersion: stands twice, in line 1 already: begin another object with ---",
      "5:1: kind: stands twice, in line 2 already: begin another object with ---",
    ],
  },
  {
    title: "tells where the YAML is broken, and judges the other documents",
    text: `kind: SampleDB\n  metadata: {}\n---\n${HEAD}spec: {paused: 1}\n`,
    tells: [/^1:7: is no valid YAML: /u, /^7:16: spec\.paused: 1/u],
  },
  {
    title: "tells of a tab that indents",
    text: "apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata:\n\tname: orders\n",
    tells: ["4:1: is no valid YAML: Tabs are not allowed as indentation"],
  },
  {
    title: "leaves broken YAML that does not mention SampleDBs to others",
    text: "kind: Secret\n  metadata: {}\n",
    tells: [],
  },
  {
    title: "tells a template, whether it is YAML by chance",
    text: `apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata: {name: orders}\nspec:\n  version: {{ .Values.version }}\n`,
    tells: [/^5:12: is a template, not YAML yet: render it first/u],
  },
  {
    title: "tells a template, whether it is none",
    text: "{{- if .Values.database }}\napiVersion: sampledb.dev/v1\nkind: SampleDB\n{{- end }}\n",
    tells: [/^1:1: is a template, not YAML yet: render it first/u],
  },
  {
    title: "tells a template in quotes",
    text: `${HEAD}spec: {version: "{{ .Values.version }}"}\n`,
    tells: [/^4:17: spec\.version: "\{\{ \.Values\.version \}\}": holds a template/u],
  },
  {
    title: "has nothing against braces in an annotation",
    text: HEAD.replace("}", ", annotations: {example.com/message: 'Hello {{ name }}'}}"),
    tells: [],
  },
  {
    title: "reads aliases and merges as they stand in the object, and points at what they bring in",
    text: `${HEAD}spec:\n  resources:\n    limits: &amounts {memory: 1Mi}\n    requests:\n      <<: *amounts\n      cpu: x\n`,
    tells: [
      /^6:31: spec\.resources\.limits\.memory: "1Mi": must be at least/u,
      /^9:12: spec\.resources\.requests\.cpu: "x"/u,
    ],
  },
  {
    title: "tells an alias of nothing",
    text: `${HEAD}spec: *other\n`,
    tells: [/^1:1: is no valid YAML: Unresolved alias .*: other$/u],
  },
  {
    title: "ends with an alias of itself",
    text: `${HEAD}spec: &spec\n  database: *spec\n`,
    tells: ["5:3: spec.database.database: is no field of a SampleDB; did you mean spec.database?"],
  },
  {
    title: "ends with aliases that would fill the memory",
    text: `${HEAD}a: &a [x, x]\n${laughs}\n`,
    tells: [/^1:1: is no valid YAML: .*alias/u],
  },
  {
    title: "ends with what is nested without an end",
    text: `${HEAD}spec: ${"[".repeat(100_000)}`,
    tells: [/: is nested too deeply to be read$/u],
  },
  {
    title: "counts lines that end as on Windows",
    text: `${HEAD}spec:\n  version: 17\n`.replaceAll("\n", "\r\n"),
    tells: ['5:12: spec.version: 17: must be a string: write it in quotes, "17"'],
  },
  {
    title: "reads values as Kubernetes does: yes is true, a time is text",
    text: `${HEAD}spec: {paused: yes, storage: {storageClassName: 12:30}, database: {owner: off}}\n`,
    tells: [
      /^4:49: spec\.storage\.storageClassName: "12:30"/u,
      /^4:75: spec\.database\.owner: false: must be a string/u,
    ],
  },
  {
    title: "tells a kind and an apiVersion that are nearly ours",
    text: "apiVersion: sampledb.dev/v1\nkind: SampleDb\n---\napiVersion: sampledb.dev/v2\nkind: SampleDB\nmetadata: {name: a}\n---\nkind: sampledb\nmetadata: {name: b}\n",
    tells: [
      /^2:7: kind: "SampleDb": is no kind of sampledb\.dev: it has SampleDB$/u,
      /^4:13: apiVersion: "sampledb\.dev\/v2": must be sampledb\.dev\/v1$/u,
      /^8:1: apiVersion: must be sampledb\.dev\/v1$/u,
      /^8:7: kind: "sampledb": is no kind/u,
    ],
  },
  {
    title: "tells metadata that the API server refuses",
    text: HEAD.replace("}", ", namespace: My_Shop, labels: {a: 1, -b: c, d: e f}, annotations: {g: yes}}"),
    tells: [
      /^3:37: metadata\.namespace: "My_Shop": must be the name of a Namespace/u,
      /^3:58: metadata\.labels\.a: 1: must be a string: write it in quotes, "1"/u,
      /^3:65: metadata\.labels\.-b: its name must consist/u,
      /^3:71: metadata\.labels\.d: "e f": must consist/u,
      /^3:94: metadata\.annotations\.g: true: must be a string: write it in quotes, "true"/u,
    ],
  },
  {
    title: "takes what the API server itself writes, and judges an exported object like a new one",
    text: `${HEAD.replace("}", ", uid: u, generation: 2, creationTimestamp: null, deletionTimestamp: 2030-01-01T00:00:00Z, managedFields: []}")}spec: {version: "9"}\nstatus: {version: "17", conditions: []}\n`,
    tells: [/^4:17: spec\.version: "9"/u],
  },
  {
    title: "warns as admission does",
    text: `${HEAD}spec:\n  deletion: {policy: Wipe}\n`,
    tells: [/^5:22: warning: spec\.deletion\.policy: .*for good/u],
  },
];
