import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon } from 'geojson';
import { PbfReader } from 'pbf';

/** The features of a layer of a vector tile; none where there is no tile. */
export function decodeTile(
  bytes: Uint8Array,
  layer: string,
  { z, x, y }: { z: number; x: number; y: number },
) {
  if (bytes.length === 0) return [];
  // The reader's types are for an earlier major version of `pbf`.
  const found = new VectorTile(new PbfReader(bytes) as never).layers[layer];
  if (!found) throw new Error(`the tile has no layer ${layer}`);
  if (found.version !== 2 || found.extent !== 4096) throw new Error('not version 2 with an extent of 4096');
  return Array.from({ length: found.length }, (_, i) => {
    const feature = found.feature(i) as VectorTileFeature;
    const geometry = feature.toGeoJSON(x, y, z).geometry as Polygon | MultiPolygon;
    return {
      properties: feature.properties,
      /** On the tile's grid. */
      rings: feature.loadGeometry(),
      holds: (lng: number, lat: number) => booleanPointInPolygon([lng, lat], geometry),
    };
  });
}

export type DecodedFeature = ReturnType<typeof decodeTile>[number];

/** The tile that a position is in. */
export function tileOver(z: number, lng: number, lat: number): { z: number; x: number; y: number } {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return { z, x: Math.floor(((lng + 180) / 360) * 2 ** z), y: Math.floor(y * 2 ** z) };
}
