/** The resource of a kind as Knative's sources guess it (apimachinery's UnsafeGuessKindToResource): they ask no API server. */
export const guessedPlural = (kind: string): string => {
  const name = kind.toLowerCase();
  if (name === "endpoints") return name;
  if (name.endsWith("s")) return `${name}es`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
};
