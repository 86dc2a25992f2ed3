import type { ProfileName } from "./profiles.ts";

/**
 * What `npm test` runs: few seeds a profile. Those of `any` together meet every scenario, every fault and every wire. In 247 of `any` a pass that
 * is stuck goes on after its SampleDB was deleted.
 */
export const SHORT_SEEDS: { readonly [P in ProfileName]: readonly number[] } = {
  any: [247, 314, 315, 316, 317, 318, 319, 320, 321],
  direct: [3, 20],
  broker: [30],
  "broker-dead-letter": [27],
  openfaas: [27, 30],
  "openfaas-async": [1, 16],
};
