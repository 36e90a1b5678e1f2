import type { Bounds } from '../core/config.ts';
import type { SpeedField } from '../core/coverage/speeds.ts';
import type { Tower } from '../core/coverage/submissions/towers.ts';
import { type ReaderLimits, readFile } from './reader.ts';

/**
 * Reads towers in a process of their own. Refuses the whole file for one row that cannot be used.
 * @param file a path on this machine
 * @param speeds of towers for which the file has none
 * @param signal ends the reading at once
 * @throws IngestError `towers_unreadable`, `towers_too_many`, `tower_columns_missing`, `towers_invalid`, and as
 *   {@link readFile} does
 */
export async function readTowers(
  file: string,
  speeds: Partial<Record<SpeedField, number | undefined>>,
  serviceArea: Bounds,
  limits: ReaderLimits,
  signal?: AbortSignal,
): Promise<Tower[]> {
  const towers: Tower[] = [];
  const work = { kind: 'towers' as const, file, name: 'towers', speeds, serviceArea };
  for await (const message of readFile(work, limits, signal)) {
    if (message.type === 'towers') towers.push(...message.towers);
  }
  return towers;
}
