const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

const startsAlike = (given: string, choice: string): boolean =>
  given.length > 2 && choice.toLowerCase().startsWith(given.toLowerCase());

const nearest = (given: string, choices: readonly string[]): string | undefined => {
  const ranked = choices
    .map((choice) => ({ choice, away: distance(given.toLowerCase(), choice.toLowerCase()) }))
    .toSorted((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.ceil(best.choice.length / 3) ? best.choice : undefined;
};

/** The choice that somebody most likely meant (a slip, another case, an abbreviation, 17.5 for 17), or undefined where none is near. */
export const suggest = (given: string, choices: readonly string[]): string | undefined => {
  // A very long value is no slip of the pen, and the comparison's cost grows with it.
  if (given.length > 64) return undefined;
  // A number next to the right one is another number.
  if (/^\d/u.test(given)) return choices.find((choice) => given.startsWith(`${choice}.`));
  return choices.find((choice) => startsAlike(given, choice)) ?? nearest(given, choices);
};
