import type { TestContext } from "node:test";

type Line = Readonly<Record<string, unknown>>;

/** Keeps what is logged during a test from the terminal, and gives it. Whatever else is written, such as the runner's own reports, passes. */
export const captureLogs = (t: TestContext): (() => readonly Line[]) => {
  const lines: Line[] = [];
  const write = process.stdout.write.bind(process.stdout);
  t.mock.method(process.stdout, "write", (text: string | Uint8Array) => {
    if (typeof text !== "string" || !text.startsWith('{"time":')) return write(text);
    lines.push(JSON.parse(text));
    return true;
  });
  return () => lines;
};
