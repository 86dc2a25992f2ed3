/** How events look: Knative's two modes, our own source's, and Knative's as deployed (references for Secrets and ConfigMaps alone). */
export const WIRES = ["reference", "resource", "source", "as deployed"] as const;
export type Wire = (typeof WIRES)[number];
