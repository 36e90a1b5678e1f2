import type { FindPathProfile } from '../../coverage/submissions/path-profile.ts';
import type { Config } from '../../platform/config.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { IngestError } from '../errors.ts';
import { readerLimits, readResult } from '../reader.ts';
import { terrainModels } from './terrain-index.ts';

/** Profiles at once, each in its own process; and those that wait. */
const [atOnce, maxWaiting] = [2, 20];
const deadlineMs = 30_000;

/** Finds profiles over this machine's terrain; undefined without terrain. */
export function pathProfiles(config: Config, storage: Storage): FindPathProfile | undefined {
  const folder = config.terrainDir;
  if (folder === undefined) return undefined;
  // The first request waits for the list of a large folder; others reuse it.
  const listing = readerLimits(config);
  const limits = { ...listing, deadlineMs };
  const waiting: (() => void)[] = [];
  let running = 0;
  const find: FindPathProfile = ({ storage_key, has_clutter, ...question }, signal) =>
    storage.withLocalFile(
      storage_key,
      async (file) => {
        const terrain = { folder, models: await terrainModels(folder, listing) };
        const work = {
          ...{ kind: 'profile' as const, serviceArea: config.serviceArea, terrain },
          clutter: has_clutter ? config.clutterDir : undefined,
          ...question,
          file,
        };
        return readResult(work, limits, signal);
      },
      signal,
    );
  return async (question, signal) => {
    if (waiting.length >= maxWaiting) throw new CovermapError('profiles_too_many');
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      signal.throwIfAborted();
      return await find(question, signal);
    } catch (error) {
      // About the terrain or the list: such messages may name folders of the server.
      if (error instanceof IngestError && error.code !== 'profile_unavailable')
        throw new CovermapError('profile_unavailable');
      throw error;
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}
