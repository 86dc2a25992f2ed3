/** The command that runs `argv` so that the kernel kills it when the thread that started it dies, whatever it dies of. It keeps its pid. */
export const dieWithOwner = (argv: readonly string[]): [string, ...string[]] =>
  process.platform === "linux"
    ? ["setpriv", "--pdeathsig", "KILL", "--", ...argv]
    : [argv[0] ?? "", ...argv.slice(1)];
