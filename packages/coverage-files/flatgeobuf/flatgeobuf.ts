import type { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { calcTreeSize } from 'flatgeobuf/lib/mjs/packedrtree.js';
import { requireFields } from '../bounds.ts';
import { ByteReader, EndOfBytes, viewOf } from '../byte-reader.ts';
import { Damage, explained } from '../file-errors.ts';
import type { FileEntry } from '../file-set.ts';
import {
  type Areas,
  dropped,
  type SourceFeature,
  type SourceReferenceSystem,
  TextAttributes,
} from '../format.ts';
import { type AreaOptions, areasOf, maxVertices } from './areas.ts';
import { Table } from './flatbuffer.ts';
import { propertyTexts } from './values.ts';

/* FlatGeobuf (https://flatgeobuf.org, specification 3.0): magic bytes, header, optional index, and features, each after its size. Read as a stream. */

const damaged = 'flatgeobuf_damaged';
const magic = Buffer.from('fgb\x03fgb', 'latin1');
/** The limit of GDAL and of the specification's own readers. */
const maxHeaderBytes = 10 * 1024 * 1024;
/** Vertices with x, y, z and m, and texts. */
const maxFeatureBytes = maxVertices * 8 * 4 + 64 * 1024 * 1024;

/** Field indexes of header.fbs and feature.fbs. */
const headerField = { name: 0, geometryType: 2, columns: 7, featuresCount: 8, indexNodeSize: 9, crs: 10 };
const columnField = { name: 0, type: 1 };
const crsField = { org: 0, code: 1, wkt: 4 };
const featureField = { geometry: 0, properties: 1 };

/** Columns that this project has GDAL add to a layer. */
const addedColumns = 3;

type FlatGeobufFeature = SourceFeature & { texts: (string | null)[] };

/** Opens a FlatGeobuf stream. @throws FileError `flatgeobuf_damaged`, `file_truncated`, `fields_too_many` */
export async function openFlatGeobuf(
  file: Pick<FileEntry, 'path' | 'size'> & { read(): AsyncIterable<Uint8Array> },
  options: AreaOptions = {},
) {
  const bytes = new ByteReader(file.read());
  /** Checked before allocating or skipping so many bytes. */
  const requireLeft = (length: number) => {
    if (length > file.size - bytes.position) throw new EndOfBytes();
  };
  let header: ReturnType<typeof readHeader>;
  try {
    const start = await bytes.require(12);
    if (!magic.equals(start.subarray(0, magic.length)))
      throw new Damage('it does not begin as FlatGeobuf does');
    const length = viewOf(start).getUint32(8, true);
    if (length > maxHeaderBytes) throw new Damage('its header is longer than 10 MB');
    requireLeft(length);
    const table = Table.root((await bytes.require(length)).slice());
    header = readHeader(table, file.path);
    const nodeSize = table.uint16(headerField.indexNodeSize, 16);
    if (nodeSize > 0 && header.featuresCount > 0) {
      // A feature takes more than a byte, which bounds the size of the index.
      requireLeft(header.featuresCount);
      const indexSize = calcTreeSize(header.featuresCount, nodeSize);
      requireLeft(indexSize);
      await bytes.skip(indexSize);
    }
  } catch (error) {
    await bytes.close();
    throw explained(error, damaged, file.path);
  }
  const { columns, geometryType, featuresCount } = header;
  return {
    header,
    position: () => bytes.position,
    close: () => bytes.close(),
    /** The features; ids are positions from 1. @throws FileError `flatgeobuf_damaged`, `file_truncated`; {@link Curved} */
    async *features(): AsyncGenerator<FlatGeobufFeature> {
      let id = 0;
      try {
        for (let prefix = await bytes.take(4); prefix; prefix = await bytes.take(4)) {
          const length = viewOf(prefix).getUint32(0, true);
          requireLeft(length);
          id++;
          if (length > maxFeatureBytes) {
            await bytes.skip(length);
            yield toFeature(id, dropped('too_many_vertices'), []);
            continue;
          }
          const table = Table.root(await bytes.require(length));
          const properties = table.vector(featureField.properties, 1);
          const texts = properties ? propertyTexts(properties, columns) : [];
          const geometry = table.table(featureField.geometry);
          yield toFeature(id, areasOf(geometry, geometryType, options), texts);
        }
        if (id < featuresCount) throw new EndOfBytes();
      } catch (error) {
        throw explained(error, damaged, file.path);
      } finally {
        await bytes.close();
      }
    },
  };
}

const toFeature = (id: number, areas: Areas, texts: (string | null)[]): FlatGeobufFeature => ({
  id,
  ...areas,
  attributes: new TextAttributes(texts),
  texts,
});

function readHeader(table: Table, file: string) {
  // Checked before reading: entries can refer to the same column.
  requireFields((table.vector(headerField.columns, 4)?.length ?? 0) / 4 - addedColumns, file);
  return {
    name: table.string(headerField.name) || undefined,
    geometryType: table.uint8(headerField.geometryType, GeometryType.Unknown) as GeometryType,
    columns: [...table.tables(headerField.columns)].map((column) => ({
      name: column.string(columnField.name) ?? '',
      type: column.uint8(columnField.type) as ColumnType,
    })),
    /** 0 if unknown. */
    featuresCount: Math.min(Number.MAX_SAFE_INTEGER, Number(table.uint64(headerField.featuresCount))),
    ...systemsOf(table.table(headerField.crs)),
  };
}

/** The end of well-known text with the code of EPSG, in versions 1 and 2. */
const codeAtEnd = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d+)"?\s*\]\s*\]\s*$/i;

/** By code, and by text; a text that ends with that code says the same. */
function systemsOf(crs: Table | undefined) {
  const code = crs?.int32(crsField.code) ?? 0;
  const wkt = crs?.string(crsField.wkt) || undefined;
  // Codes without an organisation are EPSG's (header.fbs).
  const isEpsg = code > 0 && (crs?.string(crsField.org) || 'EPSG').toUpperCase() === 'EPSG';
  const definition = isEpsg ? `EPSG:${code}` : wkt;
  const referenceSystem: SourceReferenceSystem | undefined = definition
    ? { definition, from: 'file' }
    : undefined;
  const isOther = isEpsg && wkt !== undefined && Number(codeAtEnd.exec(wkt)?.[1]) !== code;
  const systemsElsewhere = isOther ? [{ definition: wkt, where: 'the text in its header' }] : [];
  return { referenceSystem, systemsElsewhere };
}
