import type { Actor } from '../../access/actor.ts';
import { type ReadRegion, type RegionReport, replaceRegionLayer } from '../../coverage/regions/layers.ts';
import { addressRegions } from '../../coverage/statistics/inputs.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { RegionsRead, RegionWork } from '../messages.ts';
import { readerLimits, readFile } from '../reader.ts';

export interface RegionImport extends Pick<RegionWork, 'column' | 'crs' | 'accept'> {
  /** What the regions are: `territorial authorities`. */
  layer: string;
  file: string;
  /** What its sender calls the file. */
  name: string;
}

/**
 * Imports a layer of regions, in place of the one of its name: all of it or nothing.
 * @throws IngestError of the file; CovermapError `request_invalid` for a name that cannot be a layer's
 */
export async function importRegions(
  { config, database }: { config: Config; database: Database },
  { layer, ...given }: RegionImport,
  actor: Actor,
  signal?: AbortSignal,
): Promise<RegionReport> {
  if (layer.length > 60 || /\p{Cc}/u.test(layer) || Object.hasOwn(addressRegions, layer.toLowerCase()))
    throw new CovermapError(
      'request_invalid',
      `A layer cannot be called ${layer}: authorities, towns and suburbs are those of the addresses, and a name has at most 60 characters.`,
    );
  const work: RegionWork = { kind: 'regions', ...given, serviceArea: config.serviceArea };
  // Bounded by the reader: 80 MB.
  const areas: Uint8Array[][] = [];
  let read: RegionsRead | undefined;
  for await (const message of readFile(work, readerLimits(config), signal)) {
    if (message.type === 'regions') read = message.read;
    if (message.type !== 'regionAreas') continue;
    areas[message.region] ??= [];
    areas[message.region]?.push(message.areas);
  }
  if (!read) throw new Error('the reader ended without a result');
  const { names, outlines, report } = read;
  const regions = names.map(
    (name, i): ReadRegion => ({ name, areas: areas[i] ?? [], outline: outlines[i] ?? [] }),
  );
  await replaceRegionLayer(database, { name: layer, file: given.name, report }, regions, actor);
  return report;
}
