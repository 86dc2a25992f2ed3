import type { Plugin } from "esbuild";

/**
 * Packages of express of which these functions use nothing, and what stands in for them: bodies are read as bytes and never as forms or
 * in another encoding, content types are written out, no file is served. They are three fifths of what express brings.
 */
const UNUSED: Readonly<Record<string, string>> = {
  "iconv-lite":
    'exports.encodingExists=()=>false;exports.getDecoder=()=>{throw new Error("only UTF-8 is read here")};',
  "mime-db": "module.exports={};",
};

/** A filter: esbuild is written in Go, whose expressions know no flag `u`. */
const goRegExp = (pattern: string): RegExp => new RegExp(pattern);

/** Leaves out what express has for other uses than ours. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup: (build) => {
    build.onResolve({ filter: goRegExp(`^(?:${Object.keys(UNUSED).join("|")})$`) }, ({ path }) => ({
      path,
      namespace: "unused",
    }));
    build.onLoad({ filter: goRegExp("^"), namespace: "unused" }, ({ path }) => ({
      contents: UNUSED[path] ?? "",
    }));
  },
};

/**
 * Gets Node's own modules by `require`. An import of `node:http` reads each of its properties, and one of them loads all of fetch: 19 ms of
 * a process's start.
 */
export const requiredBuiltins: Plugin = {
  name: "required-builtins",
  setup: (build) => {
    build.onResolve({ filter: goRegExp("^node:") }, ({ path, kind, namespace }) =>
      kind === "import-statement" && namespace !== "builtin"
        ? { path, namespace: "builtin", sideEffects: false }
        : { path, external: true },
    );
    build.onLoad({ filter: goRegExp("^"), namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports=require(${JSON.stringify(path)});`,
    }));
  },
};
