import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseMirror } from "../../support/images/debian-mirror.ts";

describe("parseMirror", () => {
  const cases = [
    {
      title: "takes the archive of the release, not its security archive",
      lines: "bookworm-security http://a.example.com/debian-security\nbookworm http://b.example.com/debian",
      mirror: "http://b.example.com/debian",
    },
    {
      title: "takes the first of several archives",
      lines:
        "trixie http://a.example.com/debian\ntrixie-updates http://a.example.com/debian\nsid http://b.example.com/debian",
      mirror: "http://a.example.com/debian",
    },
    {
      title: "takes a release that is named by its state",
      lines: "stable https://a.example.com/debian/\n",
      mirror: "https://a.example.com/debian",
    },
    {
      title: "finds none in another distribution's or another vendor's archives",
      lines: "noble http://a.example.com/ubuntu\nnodistro http://b.example.com/tool",
      mirror: undefined,
    },
    { title: "finds none where apt has no sources", lines: "", mirror: undefined },
  ];
  for (const { title, lines, mirror } of cases) {
    it(title, () => assert.equal(parseMirror(lines), mirror));
  }
});
