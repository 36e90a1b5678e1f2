import { kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import type { Geometry, Position } from 'geojson';
import type { ReadFeature } from './source.ts';

/* A second reader of KML: @tmcw/togeojson, on @xmldom/xmldom. */

/** Attributes that the reader adds. */
const added = ['name', 'description', 'folder', 'style'];

function polygonsOf(geometry: Geometry | null): Position[][][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates];
  if (geometry?.type === 'MultiPolygon') return geometry.coordinates;
  return geometry?.type === 'GeometryCollection' ? geometry.geometries.flatMap(polygonsOf) : [];
}

/** @throws where it is not well-formed */
function placemarksOf(text: string) {
  const onError = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(message);
  };
  const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
  return kml(document as never)
    .features.filter(({ properties }) => properties?.['@geometry-type'] !== 'groundoverlay')
    .map(({ geometry, properties }) => ({
      name: properties?.name as string | undefined,
      polygons: polygonsOf(geometry),
      properties: properties ?? {},
    }));
}

/** The first difference between the peer and the features that were read; undefined where both read the same. */
export function differenceFromPeer(text: string, features: readonly ReadFeature[]): string | undefined {
  let placemarks: ReturnType<typeof placemarksOf>;
  try {
    placemarks = placemarksOf(text);
  } catch (error) {
    return `the peer fails: ${(error as Error).message}`;
  }
  if (placemarks.length !== features.length) return `${placemarks.length} placemarks, not ${features.length}`;
  for (const [i, { name, polygons, properties }] of placemarks.entries()) {
    const feature = features[i] as ReadFeature;
    if ((name || undefined) !== feature.name) return `placemark ${i + 1} is called ${name}`;
    const theirs = polygons.map((rings) =>
      rings.map((ring) => ring.flatMap((position) => position.slice(0, 2))),
    );
    // The peer repairs and drops nothing.
    const asWritten = !feature.repaired && (!feature.dropped || /^no/.test(feature.dropped));
    if (asWritten && JSON.stringify(theirs) !== JSON.stringify(feature.polygons))
      return `placemark ${i + 1} has other polygons`;
    for (const [key, value] of Object.entries(feature.attributes)) {
      if (value === null || added.includes(key) || polygons.length === 0) continue;
      if (String(properties[key]) !== value) return `${key} of placemark ${i + 1} is ${properties[key]}`;
    }
  }
  return undefined;
}
