/** Which SampleDB: the only thing that a function takes from an event. */
export type Key = { readonly namespace: string; readonly name: string };

/** `namespace/name`, for logs and maps. */
export const keyText = (key: Key): string => `${key.namespace}/${key.name}`;
