import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ListedAddress, listHeader, listLine } from '@covermap/testing/linz.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import type { ImportOptions } from '../../addresses/import-options.ts';
import { importAddressFile } from '../../ingest/addresses/import-file.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';

/* Lists of addresses that are made up, and their imports. */

const model: ListedAddress = {
  ...{ id: 1, roadId: 1, unit: '', number: 1, suffix: '', high: '' },
  road: { name: 'Rātā', type: 'Street', suffix: '' },
  ...{ suburb: 'Kōwhai Bay', town: 'Tōtara', authority: 'Tōtara District', lng: 174.5, lat: -36.5 },
};

export const madeAddress = (changes: Partial<ListedAddress>): ListedAddress => ({ ...model, ...changes });

/** Addresses with ids from 1, a number each, ten metres from one another. */
export const madeStreet = (count: number, changes: Partial<ListedAddress> = {}): ListedAddress[] =>
  Array.from({ length: count }, (_, i) =>
    madeAddress({ id: i + 1, number: i + 1, lat: Number((-36.5 - i / 10_000).toFixed(7)), ...changes }),
  );

/** A whole list as CSV. */
export const listOf = (...addresses: ListedAddress[]): string =>
  listHeader + addresses.map(listLine).join('');

/** The columns before March 2026. */
const columns2025 =
  'WKT,address_id,source_dataset,change_id,full_address_number,full_road_name,full_address,territorial_authority,unit_type,unit_value,level_type,level_value,address_number_prefix,address_number,address_number_suffix,address_number_high,road_name_prefix,road_name,road_type_name,road_suffix,water_name,water_body_name,suburb_locality,town_city,address_class,address_lifecycle,gd2000_xcoord,gd2000_ycoord,road_name_ascii,water_name_ascii,water_body_name_ascii,suburb_locality_ascii,town_city_ascii,full_road_name_ascii,full_address_ascii,shape_X,shape_Y';

/** A list in the form since March 2026 as in the one before. @param water the name of the water that addresses lie on */
export function asBefore2026(list: string, water = ''): string {
  const [names = [], ...rows] = list
    .trimEnd()
    .split('\n')
    .map((line) => line.match(/("[^"]*"|[^,]*)(?:,|$)/g)?.map((field) => field.replace(/,$/, '')) ?? []);
  const valueIn = (row: string[], column: string) => {
    if (column === 'water_name') return water;
    const same = { gd2000_xcoord: 'shape_X', gd2000_ycoord: 'shape_Y' }[column] ?? column;
    return row[names.indexOf(same)] ?? '';
  };
  const lines = rows.map((row) => columns2025.split(',').map((column) => valueIn(row, column)));
  return `${[columns2025.split(','), ...lines].map((line) => line.join(',')).join('\n')}\n`;
}

interface Imported extends ImportOptions {
  name?: string;
  signal?: AbortSignal;
  onProgress?: (progress: { step: string }) => void;
}

/** Imports a file with this content. */
export async function importAddresses(
  { config, database }: { config: Config; database: Database },
  content: string | Buffer,
  { name = 'addresses.csv', signal, onProgress = () => undefined, ...options }: Imported = {},
) {
  const file = path.join(scratchFolder(), 'given');
  writeFileSync(file, content);
  const given = { path: file, name, size: statSync(file).size };
  return importAddressFile({ config, database }, given, options, { onProgress, signal });
}
