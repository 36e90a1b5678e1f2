import { gzipSync } from 'node:zlib';
import { positionIn, tileExtent } from '@covermap/geometry/tile.ts';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { zxyToTileId } from 'pmtiles';
import { tileOver } from './vector-tile.ts';

/* A PMTiles archive of one tile, by the specification: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */

const headerBytes = 127;

interface Archive {
  /** The layers that the metadata names; by default those of Protomaps. */
  layers?: string[];
  /** 1: none, 2: gzip, 3: Brotli */
  tileCompression?: number;
  /** 1: vector tiles, 2: PNG */
  tileType?: number;
  /** The stated compression of directories and metadata, which are always packed with gzip. */
  directoryCompression?: number;
}

/** Streets, water and a suburb around a place, as Protomaps has them, on one tile of zoom 10. */
export function streetsAround(lng: number, lat: number, archive: Archive = {}): Buffer {
  const { layers = ['earth', 'water', 'roads', 'places'], tileCompression = 1, tileType = 1 } = archive;
  const { directoryCompression = 2 } = archive;
  const tile = tileOver(10, lng, lat);
  const position = positionIn(tile);
  const onTile = (...places: [east: number, north: number][]) =>
    places.map(([east, north]) => position(lng + east, lat + north));
  const layer = (type: 1 | 2 | 3, geometry: unknown, tags: object) => ({
    features: [{ type, geometry, tags }],
  });
  const square = (half: number) =>
    onTile([-half, half], [half, half], [half, -half], [-half, -half], [-half, half]);
  const bytes = fromGeojsonVt(
    {
      earth: layer(3, [square(0.1)], { kind: 'earth' }),
      water: layer(3, [square(0.002)], { kind: 'lake' }),
      roads: layer(2, [onTile([-0.1, 0.003], [0.1, 0.003])], { kind: 'highway', name: 'Great North Road' }),
      places: layer(1, onTile([0, 0]), { kind: 'locality', kind_detail: 'city', name: 'Ponsonby' }),
    } as unknown as Parameters<typeof fromGeojsonVt>[0],
    { version: 2, extent: tileExtent },
  );
  // One entry: its number, how many alike follow, its length, and one more than its offset.
  const directory = gzipSync(
    Buffer.from([1, zxyToTileId(tile.z, tile.x, tile.y), 1, bytes.length, 1].flatMap(varint)),
  );
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map((id) => ({ id, fields: {} })) }));
  const header = Buffer.alloc(headerBytes);
  header.write('PMTiles\x03', 'latin1');
  const lengths = [directory.length, metadata.length, 0, bytes.length];
  let offset = headerBytes;
  for (const [i, length] of lengths.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  // Clustered; directories; tiles; from and to which zoom.
  header.set([1, directoryCompression, tileCompression, tileType, 10, 10], 96);
  for (const [i, degrees] of [lng - 0.1, lat - 0.1, lng + 0.1, lat + 0.1].entries()) {
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * i);
  }
  return Buffer.concat([header, directory, metadata, Buffer.from(bytes)]);
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
