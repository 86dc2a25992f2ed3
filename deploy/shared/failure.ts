/** Something that the user can do about: its message is all that they are told. */
export class Failure extends Error {}

/** What an error says, in words for the user. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
