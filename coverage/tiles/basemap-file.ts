import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Compression, PMTiles, SharedPromiseCache, TileType } from 'pmtiles';
import { z } from 'zod';
import { CovermapError } from '../../platform/errors.ts';

/** The schemas of tiles that the pages can draw, with layers that tell them apart. */
const schemas = { protomaps: ['roads', 'places'], openmaptiles: ['transportation', 'place'] } as const;
/** A PMTiles archive of streets: https://docs.protomaps.com/pmtiles/ */
export type BasemapFile = Awaited<ReturnType<typeof describe>>;

/** The size of reads of the header and its directories; no root directory or metadata is longer. Bytes */
const maxRead = 16 * 1024 * 1024;
const maxUnpacked = 64 * 1024 * 1024;

const metadataSchema = z.object({ vector_layers: z.array(z.object({ id: z.string() })) });

/** Opens the archive that BASEMAP_FILE names. @throws CovermapError `basemap_unusable` */
export async function openBasemapFile(file: string): Promise<BasemapFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    return await describe(handle);
  } catch (error) {
    await handle?.close();
    const reason = error instanceof Error ? error.message : String(error);
    const message = `BASEMAP_FILE cannot be used, ${path.basename(file)}: ${reason}.`;
    const hint = 'Make an archive with deploy/streets.sh, as docs/administrator says, or unset BASEMAP_FILE.';
    throw new CovermapError('basemap_unusable', message, hint);
  }
}

async function describe(handle: FileHandle) {
  const { size, mtimeMs } = await handle.stat();
  const read = async (offset: number, length: number) => {
    if (length > maxRead) throw new Error('its directory is too long');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return { data: new Uint8Array(buffer.subarray(0, bytesRead)).buffer };
  };
  const magic = Buffer.from((await read(0, 8)).data);
  if (magic.toString('latin1') !== 'PMTiles\x03') throw new Error('it is no PMTiles archive of version 3');
  // The root directory is unpacked by the cache.
  const cache = new SharedPromiseCache(1, true, unpacked);
  const archive = new PMTiles({ getBytes: read, getKey: () => 'basemap' }, cache, unpacked);
  const header = await archive.getHeader();
  if (header.tileType !== TileType.Mvt) throw new Error('its tiles are pictures, and not vectors');
  if (![Compression.None, Compression.Gzip].includes(header.tileCompression))
    throw new Error('its tiles are compressed in a way that browsers do not read: gzip is what they read');
  const metadata = metadataSchema.safeParse(await archive.getMetadata());
  const layers = new Set(metadata.data?.vector_layers.map(({ id }) => id));
  const schema = (Object.keys(schemas) as (keyof typeof schemas)[]).find((name) =>
    schemas[name].every((layer) => layers.has(layer)),
  );
  if (!schema) throw new Error('its layers are neither those of Protomaps nor those of OpenMapTiles');
  const beginning = Buffer.from((await read(0, Math.min(size, 16_384))).data);
  return {
    schema,
    size,
    /** Changes with the file. */
    version: hash('sha1', `${size} ${mtimeMs} ${beginning.toString('base64')}`, 'base64url').slice(0, 12),
    /** @param end the last byte, included */
    read: (start: number, end: number): Readable => handle.createReadStream({ start, end, autoClose: false }),
    close: () => handle.close(),
  };
}

async function unpacked(data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None) return data;
  if (compression !== Compression.Gzip) throw new Error('its directory is not compressed with gzip');
  return new Uint8Array(gunzipSync(data, { maxOutputLength: maxUnpacked })).buffer;
}
