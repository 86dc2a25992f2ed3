import { uninitialized, initializing, reportTells } from "./cases.ts";

reportTells("what keeps init from its end", [
  {
    name: "credentials that the data does not accept",
    world: {
      objects: initializing({
        exitCode: 65,
        message: "sampledb: credentials-mismatch: role app was refused",
      }),
    },
    want: {
      reason: "CredentialsMismatch",
      severity: "stall",
      says: /orders-1-1\. role app was refused\. It is tried again when the Secret changes, or when you delete Job orders-init/u,
    },
  },
  {
    name: "a failing init script with PostgreSQL's error",
    world: {
      objects: initializing({
        exitCode: 66,
        message:
          'NOTICE: hello\nsampledb: init-failed: orders-sql/schema.sql:\nERROR:  syntax error at or near "CREAT"',
      }),
    },
    want: {
      reason: "InitFailed",
      severity: "stall",
      says: /^Init script orders-sql\/schema.sql: ERROR: {2}syntax error at or near "CREAT"\. .*Correct the script/u,
    },
  },
  {
    name: "in one readable line what psql says in several",
    world: {
      objects: initializing({
        exitCode: 66,
        message:
          'sampledb: init-failed: orders-sql/a.sql: line 2: ERROR:  syntax error at or near "SELEC"\nLINE 1: SELEC 1;\n        ^\n' +
          "HINT:  Spell it out\nTake it out.\n",
      }),
    },
    want: {
      reason: "InitFailed",
      severity: "stall",
      says: /at or near "SELEC" \(in: SELEC 1;\)\. HINT: {2}Spell it out\. Take it out\. What it did was rolled back\./u,
    },
  },
  {
    name: "an init Job that used up its tries, with the last log line",
    world: {
      objects: initializing({ exitCode: 2, message: "could not connect" }, [
        { type: "Failed", status: "True", message: "Job has reached the specified backoff limit" },
      ]),
    },
    want: { reason: "InitFailed", severity: "stall", says: /gave up: could not connect\. Remove the cause/u },
  },
  {
    name: "each init script that is named and not there",
    world: {
      objects: {
        PersistentVolumeClaim: [uninitialized],
        InitSource: [
          { script: { configMapKeyRef: { name: "orders-sql", key: "a.sql" } }, content: "SELECT 1" },
          { script: { configMapKeyRef: { name: "orders-sql", key: "b.sql" } }, content: undefined },
          { script: { secretKeyRef: { name: "orders-users", key: "c.sql" } }, content: undefined },
        ],
      },
    },
    want: {
      reason: "InitSourceMissing",
      severity: "stall",
      says: /^Not found: spec.init\[1\] \(key b.sql of ConfigMap orders-sql\), spec.init\[2\] \(key c.sql of Secret orders-users\)\./u,
    },
  },
]);
