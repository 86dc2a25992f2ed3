import type { ProfileName } from "./profiles.ts";

/**
 * Few seeds a profile, of which `any`'s together meet every scenario, every fault and every wire, and the others' some of their way: what
 * `npm test` runs. In 247 of `any` a pass that is stuck goes on after its SampleDB was deleted.
 */
export const SHORT_SEEDS: { readonly [P in ProfileName]: readonly number[] } = {
  any: [247, 314, 315, 316, 317, 318, 319, 320, 321],
  direct: [1, 2],
  broker: [],
  "broker-dead-letter": [],
  openfaas: [1, 2],
  "openfaas-async": [],
};
