import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { envIn, imageEnv } from "../../support/build/image-env.ts";

describe("the environment of an image", () => {
  it("is what the ENV lines say, quoted or not, several on a line", () => {
    const dockerfile = 'FROM a\nENV A=1\n# ENV B=2\nENV C="-x=1 -y=2" D=e\nUSER 1\n';
    assert.deepEqual(envIn(dockerfile), { A: "1", C: "-x=1 -y=2", D: "e" });
  });

  it("is of production in the functions' own", async () => {
    assert.equal((await imageEnv())["NODE_ENV"], "production");
  });
});
