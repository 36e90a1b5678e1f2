import type { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import { calcTreeSize } from 'flatgeobuf/lib/mjs/packedrtree.js';
import { ByteReader, EndOfBytes, viewOf } from '../byte-reader.ts';
import { Damage, explained } from '../errors.ts';
import type { FileEntry } from '../file-set.ts';
import {
  type Areas,
  dropped,
  type SourceFeature,
  type SourceReferenceSystem,
  TextAttributes,
} from '../format.ts';
import { requireFields } from '../layers.ts';
import { type AreaOptions, areasOf, maxVertices } from './areas.ts';
import { CheckedBuffer } from './flatbuffer.ts';
import { type Column, propertyTexts } from './values.ts';

/* FlatGeobuf (https://flatgeobuf.org, specification 3.0): magic bytes, header, optional index, and features, each after its size. Read as a stream. */

const damaged = 'flatgeobuf_damaged';
const magic = Buffer.from('fgb\x03fgb', 'latin1');
/** The limit of GDAL and of the specification's own readers. */
const maxHeaderBytes = 10 * 1024 * 1024;
/** Vertices with x, y, z and m, and texts. */
const maxFeatureBytes = maxVertices * 8 * 4 + 64 * 1024 * 1024;

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
    const table = Header.getRootAsHeader(new CheckedBuffer(await bytes.require(length)));
    header = readHeader(table, file.path);
    const nodeSize = table.indexNodeSize();
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
          const table = Feature.getRootAsFeature(new CheckedBuffer(await bytes.require(length)));
          const properties = table.propertiesArray();
          const texts = properties ? propertyTexts(properties, columns) : [];
          yield toFeature(id, areasOf(table.geometry(), geometryType, options), texts);
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

function readHeader(table: Header, file: string) {
  // Checked before reading: entries can refer to the same column.
  requireFields(table.columnsLength() - addedColumns, file);
  return {
    name: table.name() || undefined,
    geometryType: table.geometryType(),
    columns: Array.from({ length: table.columnsLength() }, (_, i) => {
      const column = table.columns(i);
      return { name: column?.name() ?? '', type: column?.type() as Column['type'] };
    }),
    /** 0 if unknown. */
    featuresCount: Math.min(Number.MAX_SAFE_INTEGER, Number(table.featuresCount())),
    ...systemsOf(table.crs()),
  };
}

/** The end of well-known text with the code of EPSG, in versions 1 and 2. */
const codeAtEnd = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d+)"?\s*\]\s*\]\s*$/i;

/** By code, and by text; a text that ends with that code says the same. */
function systemsOf(crs: Crs | null) {
  const code = crs?.code() ?? 0;
  const wkt = crs?.wkt() || undefined;
  // Codes without an organisation are EPSG's (header.fbs).
  const isEpsg = code > 0 && (crs?.org() || 'EPSG').toUpperCase() === 'EPSG';
  const definition = isEpsg ? `EPSG:${code}` : wkt;
  const referenceSystem: SourceReferenceSystem | undefined = definition
    ? { definition, from: 'file' }
    : undefined;
  const isOther = isEpsg && wkt !== undefined && Number(codeAtEnd.exec(wkt)?.[1]) !== code;
  const systemsElsewhere = isOther ? [{ definition: wkt, where: 'the text in its header' }] : [];
  return { referenceSystem, systemsElsewhere };
}
