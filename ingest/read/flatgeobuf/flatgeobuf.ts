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
import { type Column, propertyTexts } from './values.ts';

/*
 * FlatGeobuf (https://flatgeobuf.org, specification 3.0): magic bytes, a header, perhaps an index, then features, each behind
 * its size. Read as a stream, one feature in memory at a time.
 */

const damaged = 'flatgeobuf_damaged';
const magic = Buffer.from('fgb\x03fgb', 'latin1');
/** As in GDAL and the specification's own readers. */
const maxHeaderBytes = 10 * 1024 * 1024;
/** The vertices of a feature with x, y, z and m, and its texts. */
const maxFeatureBytes = maxVertices * 8 * 4 + 64 * 1024 * 1024;

/** Fields of the tables, by their position in header.fbs and feature.fbs. */
const headerField = { name: 0, geometryType: 2, columns: 7, featuresCount: 8, indexNodeSize: 9, crs: 10 };
const columnField = { name: 0, type: 1 };
const crsField = { org: 0, code: 1, wkt: 4 };
const featureField = { geometry: 0, properties: 1 };

/** Those that this project has GDAL add to a layer. */
const addedColumns = 2;

export interface FlatGeobufHeader {
  name: string | undefined;
  geometryType: GeometryType;
  columns: Column[];
  /** 0 where the file does not say. */
  featuresCount: number;
  referenceSystem: SourceReferenceSystem | undefined;
}

/** A FlatGeobuf file from its beginning to its end. */
export interface FlatGeobuf {
  header: FlatGeobufHeader;
  readonly position: number;
  /** The features, with their position from 1 as id. @throws IngestError `flatgeobuf_damaged`, `file_truncated`; {@link Curved} */
  features(): AsyncGenerator<FlatGeobufFeature>;
  close(): Promise<void>;
}

type FlatGeobufFeature = SourceFeature & { texts: (string | null)[] };

/** @throws IngestError `flatgeobuf_damaged`, `file_truncated`, `fields_too_many` */
export async function openFlatGeobuf(
  file: Pick<FileEntry, 'path' | 'size' | 'read'>,
  options: AreaOptions = {},
): Promise<FlatGeobuf> {
  const bytes = new ByteReader(file.read());
  const skip = async (length: number) => {
    if (length > file.size - bytes.position) throw new EndOfBytes();
    await bytes.skip(length);
  };
  let header: FlatGeobufHeader;
  try {
    const start = await bytes.require(12);
    if (!magic.equals(start.subarray(0, magic.length)))
      throw new Damage('it does not begin as FlatGeobuf does');
    const length = viewOf(start).getUint32(8, true);
    if (length > maxHeaderBytes) throw new Damage('its header is longer than 10 MB');
    if (length > file.size - 12) throw new EndOfBytes();
    const table = Table.root((await bytes.require(length)).slice());
    header = readHeader(table, file.path);
    const nodeSize = table.uint16(headerField.indexNodeSize, 16);
    if (nodeSize > 0 && header.featuresCount > 0) {
      // A feature takes more than a byte, which bounds the size of the index.
      if (header.featuresCount > file.size) throw new EndOfBytes();
      await skip(calcTreeSize(header.featuresCount, nodeSize));
    }
  } catch (error) {
    await bytes.close();
    throw explained(error, damaged, file.path);
  }
  const { columns, geometryType, featuresCount } = header;
  return {
    header,
    get position() {
      return bytes.position;
    },
    close: () => bytes.close(),
    async *features() {
      let id = 0;
      try {
        for (;;) {
          const prefix = await bytes.take(4);
          if (!prefix) break;
          const length = viewOf(prefix).getUint32(0, true);
          if (length > file.size - bytes.position) throw new EndOfBytes();
          id++;
          if (length > maxFeatureBytes) {
            await skip(length);
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

function readHeader(table: Table, file: string): FlatGeobufHeader {
  // Before any is read: entries can lead to the same column.
  requireFields((table.vector(headerField.columns, 4)?.length ?? 0) / 4 - addedColumns, file);
  const columns = [...table.tables(headerField.columns)].map((column) => ({
    name: column.string(columnField.name) ?? '',
    type: column.uint8(columnField.type) as ColumnType,
  }));
  return {
    name: table.string(headerField.name) || undefined,
    geometryType: table.uint8(headerField.geometryType, GeometryType.Unknown),
    columns,
    featuresCount: Math.min(Number.MAX_SAFE_INTEGER, Number(table.uint64(headerField.featuresCount))),
    referenceSystem: referenceSystemOf(table.table(headerField.crs)),
  };
}

function referenceSystemOf(crs: Table | undefined): SourceReferenceSystem | undefined {
  if (!crs) return undefined;
  const code = crs.int32(crsField.code);
  const wkt = crs.string(crsField.wkt);
  // Codes without an organisation are EPSG's (header.fbs).
  if (code > 0 && (crs.string(crsField.org) || 'EPSG').toUpperCase() === 'EPSG') {
    return { definition: `EPSG:${code}`, from: 'file' };
  }
  return wkt ? { definition: wkt, from: 'file' } : undefined;
}
