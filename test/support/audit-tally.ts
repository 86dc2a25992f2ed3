import { open } from "node:fs/promises";

/** Requests of one side, watches apart. */
export type Requests = {
  readonly reads: number;
  readonly writes: number;
  /** Of the writes, those of Events. */
  readonly events: number;
  /** Lists of one SampleDB's Secrets: there is one in each observation, so as many times a pass looked at the cluster. */
  readonly observations: number;
};

const READS = new Set(["get", "list"]);

const partOf = (line: string, name: string): string => {
  const from = line.indexOf(`"${name}":"`);
  if (from === -1) return "";
  const start = from + name.length + 4;
  return line.slice(start, line.indexOf('"', start));
};

/** Counts what the audit log tells of one user agent, going on where it ended the last time: the file gets large. */
export class AuditTally {
  readonly #file: string;
  readonly #agent: string;
  #position = 0;
  #rest = "";
  #counts = { reads: 0, writes: 0, events: 0, observations: 0 };
  /** Per verb and resource, e.g. `list secrets`. */
  readonly byKind = new Map<string, number>();

  constructor(file: string, agent: string) {
    this.#file = file;
    this.#agent = `"userAgent":"${agent}`;
  }

  async count(): Promise<Requests> {
    await using file = await open(this.#file);
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#position);
      if (bytesRead === 0) return { ...this.#counts };
      this.#position += bytesRead;
      const lines = (this.#rest + buffer.toString("latin1", 0, bytesRead)).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) if (line.includes(this.#agent)) this.#add(line);
    }
  }

  #add(line: string): void {
    const verb = partOf(line, "verb");
    if (verb === "watch") return;
    const resource = partOf(line, "resource");
    const subresource = partOf(line, "subresource");
    const kind = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1);
    if (!READS.has(verb)) this.#counts.writes += 1;
    else this.#counts.reads += 1;
    if (kind === "create events") this.#counts.events += 1;
    if (kind === "list secrets" && line.includes("sampledb.dev%2Fdatabase%3D"))
      this.#counts.observations += 1;
  }
}
