import type { Api } from "../../functions/certify/api.ts";

/** What a run of certify ends with where it was killed. */
export class Killed extends Error {}

/** `api` for a run that is killed as soon as it has carried out `writes` writes: no further call of its comes through. */
export const mortalApi = (api: Api, writes: number): Api => {
  let left = writes;
  const read = <T>(call: () => Promise<T>): Promise<T> =>
    left === 0 ? Promise.reject(new Killed("killed")) : call();
  const write = (call: () => Promise<void>): Promise<void> =>
    read(async () => {
      await call();
      left -= 1;
      if (left === 0) throw new Killed("killed");
    });
  return {
    read: (path) => read(() => api.read(path)),
    create: (path, body) => write(() => api.create(path, body)),
    merge: (path, patch) => write(() => api.merge(path, patch)),
    apply: (path, body) => write(() => api.apply(path, body)),
    remove: (path) => write(() => api.remove(path)),
  };
};
