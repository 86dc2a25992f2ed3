import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { unusedEntries, type CacheEntry } from "../../support/images/image-cache.ts";

const HOUR = 3_600_000;
const NOW = 100 * 24 * HOUR;

const usedHoursAgo = (hours: number, file = "postgres-17.tar"): CacheEntry => ({
  folder: `${file}-${hours}`,
  file,
  usedAt: NOW - hours * HOUR,
});

describe("unusedEntries", () => {
  const cases = [
    {
      title: "keeps the three of an image that were used last",
      entries: [2, 3, 4, 5, 6].map((h) => usedHoursAgo(h)),
      gone: [5, 6],
    },
    {
      title: "keeps what was used within the hour, however many",
      entries: [0.1, 0.2, 0.3, 0.4].map((h) => usedHoursAgo(h)),
      gone: [],
    },
    {
      title: "lets go what nobody used for two weeks",
      entries: [24, 15 * 24].map((h) => usedHoursAgo(h)),
      gone: [15 * 24],
    },
  ];
  for (const { title, entries, gone } of cases) {
    it(title, () =>
      assert.deepEqual(
        unusedEntries(entries, NOW),
        gone.map((h) => usedHoursAgo(h)),
      ),
    );
  }

  it("counts each image for itself", () => {
    const entries = ["a.tar", "b.tar"].flatMap((file) => [2, 3].map((hours) => usedHoursAgo(hours, file)));
    assert.deepEqual(unusedEntries(entries, NOW), []);
  });
});
