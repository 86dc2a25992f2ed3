type Answer = { readonly header: { readonly revision: string } };

const ask = async (etcd: string, path: string, body: object): Promise<Answer> => {
  const response = await fetch(new URL(path, etcd), { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const answer: Answer = JSON.parse(await response.text());
  return answer;
};

/** Makes etcd forget everything but what is there now, as an API server has it do every five minutes. */
export const compact = async (etcd: string): Promise<void> => {
  const { header } = await ask(etcd, "/v3/kv/range", { key: Buffer.from("/").toString("base64") });
  await ask(etcd, "/v3/kv/compaction", { revision: header.revision, physical: true });
};
