import { IMAGE, PINNED } from "../patterns.ts";
import type { Rule } from "./rule.ts";

const EXAMPLE = "such as registry.example.com/postgres:17.5";

const faultOf = (image: string): string | undefined => {
  if (!new RegExp(IMAGE, "u").test(image)) return `must be an image reference ${EXAMPLE}`;
  if (!new RegExp(PINNED, "u").test(image))
    return `must name a tag or a digest, ${EXAMPLE}: without one it means latest, and a restart could change what runs`;
  return image.endsWith(":latest")
    ? `must name a tag other than latest, ${EXAMPLE}: a restart could change what runs`
    : undefined;
};

/** spec.image says which image, in a form that a container runtime understands. */
export const imageReference: Rule = ({ sampledb }) => {
  const image = sampledb.spec?.image;
  const message = image === undefined ? undefined : faultOf(image);
  return message === undefined ? [] : [{ path: "spec.image", value: image, message }];
};
