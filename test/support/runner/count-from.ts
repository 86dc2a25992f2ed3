export type Count = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Reads the footer of node:test's TAP report (`# pass 12`). Cancelled tests count as failed, todo as skipped. */
export const countFrom = (tap: string): Count => {
  const footer = (word: string): number =>
    Number([...tap.matchAll(new RegExp(`^# ${word} (\\d+)$`, "gmu"))].at(-1)?.[1] ?? 0);
  return {
    passed: footer("pass"),
    failed: footer("fail") + footer("cancelled"),
    skipped: footer("skipped") + footer("todo"),
  };
};
