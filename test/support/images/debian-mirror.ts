import { run } from "../cluster/run.ts";

const RELEASES = new Set([
  "bullseye",
  "bookworm",
  "trixie",
  "forky",
  "sid",
  "oldstable",
  "stable",
  "testing",
]);

/** The format that `parseMirror` reads; to be given to `apt-get indextargets --format`. */
const FORMAT = "$(RELEASE) $(SITE)";

/**
 * The address of the Debian mirror to install images from: SAMPLEDB_DEBIAN_MIRROR where set, else the one that this
 * machine's apt is configured with. Throws where apt knows none (another distribution).
 */
export async function debianMirror(): Promise<string> {
  const named = process.env["SAMPLEDB_DEBIAN_MIRROR"];
  if (named !== undefined && named !== "") return named;
  // Without --no-release-info apt leaves out everything whose lists it has not fetched yet.
  const argv = ["apt-get", "--no-release-info", "indextargets", "--format", FORMAT, "Created-By: Packages"];
  const mirror = parseMirror(await run(argv));
  if (mirror === undefined) {
    throw new Error("apt is configured with no Debian archive: name a mirror in SAMPLEDB_DEBIAN_MIRROR.");
  }
  return mirror;
}

/**
 * Finds the main Debian archive in lines of `RELEASE SITE`. Update and security suites (`bookworm-security`) live in
 * other archives or are not enough to install from, and so are other vendors' releases.
 */
export function parseMirror(lines: string): string | undefined {
  for (const line of lines.split("\n")) {
    const [release, site] = line.trim().split(/\s+/u);
    if (release !== undefined && site !== undefined && RELEASES.has(release))
      return site.replace(/\/+$/u, "");
  }
  return undefined;
}
