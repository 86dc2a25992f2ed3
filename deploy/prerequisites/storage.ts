import { type Finding, warning } from "./finding.ts";
import type { Seen } from "./seen.ts";

const DEFAULT = "storageclass.kubernetes.io/is-default-class";

/** Whether a SampleDB that names no StorageClass gets a volume. */
export const storageFindings = ({ objects }: Seen): readonly Finding[] => {
  const classes = objects.filter(({ kind }) => kind === "StorageClass");
  if (classes.some(({ metadata }) => metadata.annotations?.[DEFAULT] === "true")) return [];
  const names = classes.map(({ metadata }) => metadata.name).join(", ");
  return [
    warning(
      "a default StorageClass",
      names === "" ? "there is no StorageClass at all" : `there are ${names}, and none is the default`,
      `a SampleDB must then name one (spec.storage.storageClassName); or kubectl annotate storageclass NAME ${DEFAULT}=true`,
    ),
  ];
};
