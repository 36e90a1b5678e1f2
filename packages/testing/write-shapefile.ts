import { ringBox } from '@covermap/geometry/polygon.ts';
import iconv from 'iconv-lite';
import type { Point } from './formats.ts';

export type { Point } from './formats.ts';
export { zip } from './zip.ts';

/* Shapefiles of any kind, also such as no program writes. */

export interface ShapefileFeature {
  /** Closed rings: outer ones clockwise, holes counter-clockwise. Null: a feature without geometry. */
  rings: Point[][] | null;
  /** Of a multipatch: the types of its parts, in place of rings. */
  parts?: number[];
  attributes?: Record<string, string | number | null>;
  deleted?: boolean;
}

export interface ShapefileField {
  name: string;
  type: 'C' | 'N';
  length: number;
  decimals?: number;
}

export interface ShapefileLayer {
  /** 5 polygon, 15 polygon with z, 25 polygon with m, 31 multipatch; others for layers that are no coverage. */
  shapeType?: number;
  fields?: ShapefileField[];
  features: ShapefileFeature[];
  /** The text of the .prj file; none where undefined. */
  prj?: string;
  /** The text of the .cpg file; none where undefined. */
  cpg?: string;
  /** The encoding of texts in the .dbf file. */
  encoding?: string;
  /** Byte 29 of the .dbf header. */
  languageDriver?: number;
}

/** The files of a shapefile by ending (ESRI Shapefile Technical Description, July 1998; dBASE III). */
export function writeShapefile(layer: ShapefileLayer): Record<string, Buffer> {
  const type = layer.shapeType ?? 5;
  const records = layer.features.map((feature) => content(type, feature));
  const box = boxOf(layer.features.flatMap((feature) => feature.rings?.flat() ?? []));
  let offset = 100;
  const index = records.map(({ length }) => {
    const entry = integers([offset / 2, length / 2]).swap32();
    offset += 8 + length;
    return entry;
  });
  const numbered = records.flatMap((record, i) => [integers([i + 1, record.length / 2]).swap32(), record]);
  return {
    shp: Buffer.concat([header(type, box, offset), ...numbered]),
    shx: Buffer.concat([header(type, box, 100 + 8 * records.length), ...index]),
    dbf: dbf(layer),
    ...(layer.prj === undefined ? {} : { prj: Buffer.from(layer.prj) }),
    ...(layer.cpg === undefined ? {} : { cpg: Buffer.from(layer.cpg) }),
  };
}

/** The files of a layer with its name before their endings. */
export function named(name: string, files: Record<string, Buffer>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(files).map(([ending, bytes]) => [`${name}.${ending}`, bytes]));
}

function header(type: number, box: number[], length: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(length / 2, 24);
  bytes.set(Buffer.concat([integers([1000, type]), doubles(box)]), 28);
  return bytes;
}

const integers = (values: number[]) => Buffer.from(Int32Array.from(values).buffer);
const doubles = (values: number[]) => Buffer.from(Float64Array.from(values).buffer);

function content(type: number, { rings, parts = [] }: ShapefileFeature): Buffer {
  if (!rings) return Buffer.alloc(4);
  const points = rings.flat();
  const positions = points.flatMap((point) => point.slice(0, 2) as number[]);
  if (type === 1) return Buffer.concat([integers([1]), doubles(positions.slice(0, 2))]);
  let next = 0;
  const firsts = rings.map(({ length }) => {
    next += length;
    return next - length;
  });
  // z, then m: each its range and its values.
  const measures = ({ 15: [2, 3], 25: [3], 31: [2] }[type] ?? []).map((index) => {
    const values = points.map((point) => point[index] ?? 0);
    return doubles([Math.min(...values), Math.max(...values), ...values]);
  });
  const counts = integers([rings.length, points.length, ...firsts, ...parts]);
  return Buffer.concat([integers([type]), doubles(boxOf(points)), counts, doubles(positions), ...measures]);
}

const boxOf = (points: Point[]) =>
  points.length === 0
    ? [0, 0, 0, 0]
    : ringBox(Float64Array.from(points.flatMap((point) => point.slice(0, 2) as number[])));

function dbf({
  fields = [{ name: 'ID', type: 'N', length: 10 }],
  features,
  encoding = 'utf-8',
  languageDriver = 0,
}: ShapefileLayer): Buffer {
  const rowLength = 1 + fields.reduce((sum, field) => sum + field.length, 0);
  const head = Buffer.alloc(32 + 32 * fields.length + 1);
  head[0] = 3;
  head.set([126, 1, 1], 1);
  head.writeUInt32LE(features.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(rowLength, 10);
  head[29] = languageDriver;
  for (const [i, field] of fields.entries()) {
    const at = 32 + 32 * i;
    head.set(iconv.encode(field.name, encoding).subarray(0, 10), at);
    head[at + 11] = field.type.charCodeAt(0);
    head[at + 16] = field.length;
    head[at + 17] = field.decimals ?? 0;
  }
  head[head.length - 1] = 0x0d;
  const rows = features.map((feature, index) => {
    const row = Buffer.alloc(rowLength, ' ');
    if (feature.deleted) row[0] = 0x2a;
    let at = 1;
    for (const field of fields) {
      const value = feature.attributes?.[field.name] ?? (field.name === 'ID' ? index + 1 : null);
      const text = typeof value === 'number' ? value.toFixed(field.decimals ?? 0) : (value ?? '');
      const encoded = iconv.encode(text, encoding).subarray(0, field.length);
      row.set(encoded, field.type === 'N' ? at + field.length - encoded.length : at);
      at += field.length;
    }
    return row;
  });
  return Buffer.concat([head, ...rows, Buffer.from([0x1a])]);
}
