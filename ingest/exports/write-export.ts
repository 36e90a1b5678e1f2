import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { convertLayers } from '@covermap/coverage-files/write/convert.ts';
import { flatGeobufWriter } from '@covermap/coverage-files/write/flatgeobuf.ts';
import { geoJsonWriter } from '@covermap/coverage-files/write/geojson.ts';
import { type Field, FileSink, type Layer, type LayerWriter } from '@covermap/coverage-files/write/layer.ts';
import { geoParquetWriter } from '@covermap/coverage-files/write/parquet.ts';
import yazl from 'yazl';
import type { ExportedTier } from '../../coverage/exports/versions.ts';
import { csvField } from '../../platform/csv-line.ts';
import type { ExportTask, ReaderSink } from '../messages.ts';
import { areasIn, type PremisesRow, premisesIn } from './rows-file.ts';

/*
 * Writes published coverage as a file, in the reading process. A GeoPackage has two layers; of all other formats it is a zip with a file of areas and
 * one of premises.
 */

interface OfferField extends Field {
  name: keyof ExportedTier;
}

const fields = (type: Field['type'], ...names: OfferField['name'][]): OfferField[] =>
  names.map((name) => ({ name, type }));
/** The attributes of an area; those of speeds are found again if the file is uploaded. */
const offerFields = [
  ...fields('text', 'provider', 'technology', 'scope', 'availability'),
  ...fields(
    'number',
    'bandwidth_min_mbps',
    'bandwidth_max_mbps',
    'bandwidth_up_min_mbps',
    'bandwidth_up_max_mbps',
  ),
  ...fields('text', 'planned_date', 'published_at'),
  ...fields('integer', 'dataset'),
];
const offerOf = (tier: ExportedTier) => offerFields.map(({ name }) => tier[name]);
const premisesFields: Field[] = [
  ...['address', 'id', 'aliases'].map((name) => ({ name, type: 'text' as const })),
  ...offerFields,
];

const writers = {
  geopackage: { extension: 'fgb', make: flatGeobufWriter },
  flatgeobuf: { extension: 'fgb', make: flatGeobufWriter },
  geojson: { extension: 'geojson', make: geoJsonWriter },
  geoparquet: { extension: 'parquet', make: geoParquetWriter },
};

/** Sends how far it is, and at last asks to take the file, which lies in the scratch folder. */
export async function writeExport(task: ExportTask, sink: ReaderSink): Promise<void> {
  const { format, scratch } = task;
  const place = (name: string) => path.join(scratch, name);
  const areas = format === 'csv' ? undefined : await writeAreas(task, format, place, sink);
  await sink.send({ type: 'exporting', progress: { step: 'writing the file', percent: null } });
  const target = place(format === 'geopackage' ? 'export.gpkg' : 'export.zip');
  if (format === 'geopackage' && areas) {
    const premises = task.premises && { premises: await writePoints(task, place('points.fgb')) };
    await convertLayers({ coverage: areas, ...premises }, 'GPKG', target);
  } else {
    const files = [
      ...(areas ? [format === 'flatgeobuf' ? await indexed(areas, place('coverage.fgb')) : areas] : []),
      ...(task.premises ? [await writeCsv(task, place('premises.csv'))] : []),
    ];
    await zip(files, target);
  }
  await sink.ask({ type: 'exported', file: target });
}

async function indexed(areas: string, target: string): Promise<string> {
  await convertLayers({ coverage: areas }, 'FlatGeobuf', target);
  return target;
}

async function writeAreas(
  { file, tiers, areas: features }: ExportTask,
  format: keyof typeof writers,
  place: (name: string) => string,
  sink: ReaderSink,
): Promise<string> {
  const { extension, make } = writers[format];
  // GDAL reads it, and writes the one with that name.
  const target = place(extension === 'fgb' ? 'areas.fgb' : `coverage.${extension}`);
  const writer = make(target, { name: 'coverage', fields: offerFields, geometry: 'Polygon', features });
  const values = tiers.map(offerOf);
  let written = 0;
  let told = 0;
  for await (const { tier, wkb } of areasIn(file)) {
    writer.write(values[tier] as (typeof values)[number], wkb);
    const percent = Math.floor((100 * ++written) / features);
    if (percent === told) continue;
    told = percent;
    await sink.send({ type: 'exporting', progress: { step: 'writing areas', percent } });
  }
  writer.end();
  return target;
}

/** The premises as points, for GDAL. */
async function writePoints(task: ExportTask, target: string): Promise<string> {
  const layer: Layer = {
    name: 'premises',
    fields: premisesFields,
    geometry: 'Point',
    features: task.addresses,
  };
  const writer: LayerWriter = flatGeobufWriter(target, layer);
  const wkb = Buffer.alloc(21);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(1, 1);
  await eachPremises(task, (row, values) => {
    wkb.writeDoubleLE(row[5], 5);
    wkb.writeDoubleLE(row[4], 13);
    writer.write(values, wkb);
  });
  writer.end();
  return target;
}

async function writeCsv(task: ExportTask, target: string): Promise<string> {
  const sink = new FileSink(target);
  const line = (values: readonly (string | number | null)[]) =>
    sink.write(Buffer.from(`${values.map(csvField).join(',')}\r\n`));
  line([...premisesFields.map(({ name }) => name), 'lat', 'lng']);
  await eachPremises(task, (row, values) => line([...values, row[4], row[5]]));
  sink.end();
  return target;
}

/** @param onRow gets a row and the values of {@link premisesFields} */
async function eachPremises(
  { premises = '', tiers }: ExportTask,
  onRow: (row: PremisesRow, values: (string | number | null)[]) => void,
): Promise<void> {
  const offers = tiers.map(offerOf);
  for await (const rows of premisesIn(premises)) {
    pulse();
    for (const row of rows) {
      const [tier, id, address, aliases] = row;
      onRow(row, [address, id, aliases, ...(offers[tier] as (typeof offers)[number])]);
    }
  }
}

async function zip(files: readonly string[], target: string): Promise<void> {
  const archive = new yazl.ZipFile();
  for (const file of files) archive.addFile(file, path.basename(file));
  archive.end();
  const failed = once(archive as unknown as NodeJS.EventEmitter, 'error').then(([error]) => {
    throw error;
  });
  archive.outputStream.on('data', pulse);
  const stored = archive.outputStream.pipe(createWriteStream(target));
  await Promise.race([once(stored, 'close'), failed]);
}
