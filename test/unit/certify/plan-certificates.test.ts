import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { before, describe, it } from "node:test";
import { issueCa, issueLeaf } from "../../../functions/certify/issue-certificate.ts";
import type { PemPair, StoredSecret } from "../../../functions/certify/key-pair.ts";
import { planCertificates, trustBundle } from "../../../functions/certify/plan-certificates.ts";
import { makeSecret } from "./make-secret.ts";

const DAY = 86_400_000;
const START = new Date("2026-03-01T12:00:00Z");
const after = (days: number): Date => new Date(START.getTime() + days * DAY);
const NAMES = ["admission.shop.svc", "admission", "admission.shop", "admission.shop.svc.cluster.local"];

const absent = (): undefined => undefined;

describe("planCertificates", () => {
  let ca: PemPair;
  let otherCa: PemPair;
  let newCa: PemPair;
  let leaf: PemPair;
  let otherLeaf: PemPair;
  let futureLeaf: PemPair;

  before(async () => {
    ca = await issueCa(START);
    otherCa = await issueCa(START);
    newCa = await issueCa(after(4 * 365));
    leaf = await issueLeaf(ca, NAMES, START);
    otherLeaf = await issueLeaf(otherCa, NAMES, START);
    futureLeaf = await issueLeaf(ca, NAMES, after(1));
  });

  type Row = {
    readonly title: string;
    readonly ca?: () => StoredSecret;
    readonly leaf?: () => StoredSecret;
    readonly day?: number;
    readonly names?: readonly string[];
    readonly want: "ca" | "leaf" | undefined;
    readonly because?: RegExp;
  };
  const goodCa = (): StoredSecret => makeSecret(ca);
  const goodLeaf = (): StoredSecret => makeSecret(leaf);

  const rows: readonly Row[] = [
    { title: "begins with the CA where there is nothing", want: "ca", because: /none/u },
    { title: "issues a leaf where there is a CA only", ca: goodCa, want: "leaf", because: /none/u },
    { title: "keeps both when they are right", ca: goodCa, leaf: goodLeaf, want: undefined },
    { title: "keeps a leaf of more than 30 days", ca: goodCa, leaf: goodLeaf, day: 59.9, want: undefined },
    {
      title: "renews a leaf at 30 days",
      ca: goodCa,
      leaf: goodLeaf,
      day: 60,
      want: "leaf",
      because: /ends soon/u,
    },
    { title: "renews a leaf that has ended", ca: goodCa, leaf: goodLeaf, day: 200, want: "leaf" },
    {
      title: "repairs a leaf whose certificate is no certificate",
      ca: goodCa,
      leaf: () => makeSecret(leaf, { "tls.crt": "garbage" }),
      want: "leaf",
      because: /cannot be read/u,
    },
    {
      title: "repairs a leaf without a key",
      ca: goodCa,
      leaf: () => makeSecret(leaf, { "tls.key": "" }),
      want: "leaf",
      because: /cannot be read/u,
    },
    {
      title: "repairs a leaf with another certificate's key",
      ca: goodCa,
      leaf: () => makeSecret({ certificate: leaf.certificate, key: otherLeaf.key }),
      want: "leaf",
      because: /belong together/u,
    },
    {
      title: "replaces a leaf of a CA that is not trusted",
      ca: goodCa,
      leaf: () => makeSecret(otherLeaf),
      want: "leaf",
      because: /not issued by a CA/u,
    },
    {
      title: "replaces a leaf that lacks a name",
      ca: goodCa,
      leaf: goodLeaf,
      names: [...NAMES, "admission.other.svc"],
      want: "leaf",
      because: /every name/u,
    },
    {
      title: "replaces a leaf that begins in the future, as a clock that is ahead makes it",
      ca: () => makeSecret(ca),
      leaf: () => makeSecret(futureLeaf),
      want: "leaf",
      because: /begins in the future/u,
    },
    {
      title: "replaces a CA that begins in the future",
      ca: () => makeSecret(newCa),
      leaf: goodLeaf,
      want: "ca",
      because: /begins in the future/u,
    },
    {
      title: "repairs a CA whose key is another's",
      ca: () => makeSecret({ certificate: ca.certificate, key: otherCa.key }),
      leaf: goodLeaf,
      want: "ca",
      because: /belong together/u,
    },
    {
      title: "replaces a CA that is no CA",
      ca: goodLeaf,
      leaf: goodLeaf,
      want: "ca",
      because: /not that of a CA/u,
    },
    { title: "keeps a CA of more than a year", ca: goodCa, leaf: goodLeaf, day: 4 * 365 - 0.1, want: "leaf" },
    {
      title: "renews a CA at a year",
      ca: goodCa,
      leaf: goodLeaf,
      day: 4 * 365,
      want: "ca",
      because: /ends soon/u,
    },
    {
      title: "replaces a CA that has ended",
      ca: goodCa,
      leaf: goodLeaf,
      day: 5 * 365,
      want: "ca",
      because: /has ended/u,
    },
  ];

  const usual = { ca: absent, leaf: absent, day: 0, names: NAMES, because: /./u };

  for (const { title, want, ...row } of rows) {
    it(title, () => {
      const { ca: storedCa, leaf: storedLeaf, day, names, because } = { ...usual, ...row };
      const observed = { ca: storedCa(), leaf: storedLeaf(), names };
      const action = planCertificates(observed, after(day));
      assert.equal(action?.issue, want);
      assert.match(action?.because ?? "kept", because);
      const replaced = want === undefined ? undefined : observed[want];
      assert.equal(action?.replaces, replaced, "replaces exactly what was read");
    });
  }

  it("keeps a renewed CA's predecessor, so that its leaf stays until its own renewal", async () => {
    const day = 4 * 365;
    const oldLeaf = makeSecret(await issueLeaf(ca, NAMES, after(day - 30)));
    const plan = planCertificates({ ca: makeSecret(ca), leaf: oldLeaf, names: NAMES }, after(day));
    assert.ok(plan?.issue === "ca" && plan.previous === ca.certificate);
    const renewed = makeSecret(newCa, { "previous.crt": plan.previous });
    assert.equal(planCertificates({ ca: renewed, leaf: oldLeaf, names: NAMES }, after(day)), undefined);
    const later = planCertificates({ ca: renewed, leaf: oldLeaf, names: NAMES }, after(day + 30));
    assert.ok(later?.issue === "leaf" && later.by.pem.certificate === newCa.certificate);
  });

  it("does not trust the predecessor of a CA that was not renewed in order", () => {
    const plan = planCertificates(
      { ca: makeSecret(ca, { "tls.key": "" }), leaf: undefined, names: NAMES },
      START,
    );
    assert.ok(plan?.issue === "ca" && plan.previous === undefined);
  });

  it("trusts the previous CA until it ends", () => {
    const renewed = makeSecret(newCa, { "previous.crt": ca.certificate });
    const count = (day: number): number =>
      trustBundle(renewed, after(day)).split("BEGIN CERTIFICATE").length - 1;
    assert.equal(count(4 * 365), 2);
    assert.equal(count(5 * 365), 1);
  });

  it("issues leaves of 90 days that serve every name and cannot sign", () => {
    const certificate = new X509Certificate(leaf.certificate);
    assert.equal(certificate.validToDate.getTime() - START.getTime(), 90 * DAY);
    assert.deepEqual(
      NAMES.map((name) => certificate.checkHost(name)),
      NAMES,
    );
    assert.equal(certificate.checkHost("admission.other.svc"), undefined);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
  });

  it("issues what is good at once also on a clock that is four minutes behind", () => {
    for (const { certificate } of [ca, leaf])
      assert.ok(new X509Certificate(certificate).validFromDate.getTime() <= START.getTime() - 4 * 60_000);
  });

  const isInUse = (stored: StoredSecret | undefined, day: number): boolean | undefined => {
    const plan = planCertificates({ ca: makeSecret(ca), leaf: stored, names: NAMES }, after(day));
    return plan?.issue === "leaf" ? plan.isInUse : undefined;
  };

  it("asks to make a CA known first where the leaf that it replaces is still in use, and only there", async () => {
    assert.equal(isInUse(goodLeaf(), 60), true);
    assert.equal(isInUse(makeSecret(await issueLeaf(ca, ["admission"], START)), 1), true);
    assert.equal(isInUse(goodLeaf(), 90), false);
    for (const stored of [undefined, makeSecret(otherLeaf), makeSecret(futureLeaf)])
      assert.equal(isInUse(stored, 0), false);
  });
});
