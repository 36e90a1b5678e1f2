import { beginSpan, inSpan, isTracing } from '../tracing/tracing.ts';
import type { Storage } from './storage.ts';

/** Makes each use of a storage a step of the current trace, without names of files. Changes nothing where traces are off. */
export function traceStorage(storage: Storage): Storage {
  if (!isTracing()) return storage;
  const { restore, read, remove, adopt } = storage;
  const withLocalFile = storage.withLocalFile.bind(storage);
  const step = (what: string) => [`storage ${what}`, { kind: 'client' as const }] as const;
  return Object.assign(storage, {
    // Storing a new file is restoring it under a key of its own.
    restore: (...given) => inSpan(...step('store'), () => restore.apply(storage, given)),
    read: (...given) => inSpan(...step('read'), () => read.apply(storage, given)),
    remove: (...given) => inSpan(...step('remove'), () => remove.apply(storage, given)),
    adopt: (...given) => inSpan(...step('adopt'), () => adopt.apply(storage, given)),
    withLocalFile<T>(key: string, work: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
      // Ends once the file is there: the work has steps of its own.
      const span = beginSpan(...step('fetch'));
      const begin = (file: string) => {
        span?.end();
        return work(file);
      };
      return withLocalFile(key, begin, signal).catch((error) => {
        if (span?.endedAt === undefined) span?.fail(error);
        span?.end();
        throw error;
      });
    },
  } satisfies Partial<Storage>);
}
