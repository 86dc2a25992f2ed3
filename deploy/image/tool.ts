export const TOOLS = ["docker", "podman", "buildah"] as const;
export type ToolName = (typeof TOOLS)[number];

/** An image to be built. Paths are absolute. */
export type Recipe = {
  readonly file: string;
  readonly context: string;
  readonly reference: string;
  readonly buildArgs: Readonly<Record<string, string>>;
};

/** The command that builds an image. */
export const buildCommand = (
  tool: ToolName,
  { file, context, reference, buildArgs }: Recipe,
): readonly string[] => [
  tool,
  "build",
  "-f",
  file,
  "-t",
  reference,
  ...Object.entries(buildArgs).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]),
  context,
];

/** The command that pushes an image. docker prints the digest; the others write it into `digestFile`. */
export const pushCommand = (
  tool: ToolName,
  reference: string,
  { digestFile, isInsecure }: { readonly digestFile: string; readonly isInsecure: boolean },
): readonly string[] =>
  tool === "docker"
    ? ["docker", "push", reference]
    : [
        tool,
        "push",
        ...(isInsecure ? ["--tls-verify=false"] : []),
        "--digestfile",
        digestFile,
        reference,
        `docker://${reference}`,
      ];

/** The digest in what docker printed, or in the others' file; undefined where there is none. */
export const digestIn = (text: string): string | undefined => /\bsha256:[a-f0-9]{64}\b/u.exec(text)?.[0];
