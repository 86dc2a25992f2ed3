type View = { readonly clusters: readonly { readonly name: string }[] };

/** A kubeconfig of a service account, as text: the rights of a function's pod for a process on this host. */
export const accountKubeconfig = async (
  kubectl: (args: readonly string[]) => Promise<string>,
  account: string,
  namespace: string,
): Promise<string> => {
  const token = await kubectl(["create", "token", account, "-n", namespace]);
  const { clusters }: View = JSON.parse(
    await kubectl(["config", "view", "--raw", "--flatten", "-o", "json"]),
  );
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters,
    users: [{ name: account, user: { token: token.trim() } }],
    contexts: [{ name: account, context: { cluster: clusters[0]?.name, user: account } }],
    "current-context": account,
  });
};
