import { premisesFile } from '../../coverage/premises/premises-list.ts';
import type { TrySpeeds } from '../../coverage/submissions/trials.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import { keptScratch } from '../../platform/scratch.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { IngestError } from '../errors.ts';
import { readerLimits, readResult } from '../reader.ts';

/** Trials at once, each in its own process; and those that wait. */
const [atOnce, maxWaiting] = [2, 20];
const deadlineMs = 30_000;

/** Tries speeds in reading processes. A caller's trial ends the one that the same caller has begun before. */
export function speedTrials(config: Config, storage: Storage, database: Database): TrySpeeds {
  const limits = { ...readerLimits(config), deadlineMs };
  const waiting: (() => void)[] = [];
  const last = new Map<string, AbortController>();
  let running = 0;
  const find: TrySpeeds = async ({ storage_key, signal_key, ...coverage }, _, signal) => {
    const premises = await premisesFile(database, keptScratch(config));
    if (premises === undefined) throw new CovermapError('premises_missing');
    return storage.withLocalFile(
      storage_key,
      (file) =>
        storage.withLocalFile(
          signal_key,
          (raster) => {
            const work = { kind: 'speed-trial' as const, serviceArea: config.serviceArea, premises };
            return readResult({ ...work, ...coverage, file, signal: raster }, limits, signal);
          },
          signal,
        ),
      signal,
    );
  };
  return async (coverage, caller, left) => {
    if (waiting.length >= maxWaiting) throw new CovermapError('trials_too_many');
    last.get(caller)?.abort(new CovermapError('trial_superseded'));
    const own = new AbortController();
    last.set(caller, own);
    const signal = AbortSignal.any([left, own.signal]);
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      signal.throwIfAborted();
      return await find(coverage, caller, signal);
    } catch (error) {
      // Others are about the towers and their signal, which were read before.
      if (error instanceof IngestError && error.code !== 'trial_too_large')
        throw new CovermapError('trial_failed');
      throw error;
    } finally {
      running--;
      waiting.shift()?.();
      if (last.get(caller) === own) last.delete(caller);
    }
  };
}
