import { readPolygons } from '@covermap/geometry/wkb.ts';
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { pulse } from '../process/pulse.ts';
import type { Field, Layer, LayerWriter, Values } from './layer.ts';

/** A row group: what is in memory at a time. */
const groupRows = 10_000;
const groupBytes = 8 * 1024 * 1024;
const primary = 'geometry';

const types: Record<Field['type'], Partial<SchemaElement>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
};

/** Writes polygons as GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/): WKB in degrees, and a group of rows after the other. */
export function geoParquetWriter(file: string, { fields }: Layer): LayerWriter {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: fields.length + 1 },
    { name: primary, type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
    ...fields.map(({ name, type }): SchemaElement => ({ name, ...types[type], repetition_type: 'OPTIONAL' })),
  ];
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: 'covermap' });
  const box = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity] as Box;
  let rows: Values[] = [];
  let shapes: Uint8Array[] = [];
  let bytes = 0;
  const flush = () => {
    if (rows.length === 0) return;
    const columnData = [
      // Areas differ: a dictionary of them would only take memory, and their order says nothing.
      { name: primary, data: shapes, encoding: 'PLAIN' as const, statistics: false },
      ...fields.map(({ name }, i) => ({ name, data: rows.map((values) => values[i] ?? null) })),
    ];
    writer.write({ columnData, rowGroupSize: rows.length });
    [rows, shapes, bytes] = [[], [], 0];
    pulse();
  };
  return {
    write(values, wkb) {
      rows.push(values);
      // The caller uses its memory again.
      shapes.push(wkb.slice());
      bytes += wkb.length;
      extend(box, wkb);
      if (rows.length === groupRows || bytes >= groupBytes) flush();
    },
    end() {
      flush();
      const hasAny = Number.isFinite(box[0]);
      const column = {
        ...{ encoding: 'WKB', geometry_types: ['Polygon'], orientation: 'counterclockwise', edges: 'planar' },
        ...(hasAny && { bbox: box }),
      };
      const geo = { version: '1.1.0', primary_column: primary, columns: { [primary]: column } };
      writer.kvMetadata = [{ key: 'geo', value: JSON.stringify(geo) }];
      writer.finish();
    },
  };
}

/** West, south, east, north. */
type Box = [number, number, number, number];

function extend(box: Box, wkb: Uint8Array): void {
  const shell = readPolygons(wkb)[0]?.[0] ?? [];
  for (let i = 0; i < shell.length; i += 2) {
    const [x, y] = [shell[i] as number, shell[i + 1] as number];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
}
