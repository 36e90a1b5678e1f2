import { type Polygon, type Ring, signedArea } from '@covermap/geometry/polygon.ts';
import { usableRing } from '@covermap/geometry/rings.ts';
import { type Areas, dropped } from '../format.ts';
import { childrenOf, type XmlElement } from './element.ts';

/* The polygons of a Placemark (KML 2.3, 10.10 Polygon, 10.2 MultiGeometry). Ignores ring directions, as boundaries are named, and altitudes. */

const otherGeometries = new Set(['Point', 'LineString', 'LinearRing', 'Model', 'Track', 'MultiTrack']);

/** The names of a placemark's geometries, each once. */
export const geometryKinds = (placemark: XmlElement): Set<string> =>
  new Set([...geometriesOf(placemark)].map(({ name }) => name));

export function areasOf(placemark: XmlElement): Areas {
  const found = nothingFound();
  let others = false;
  for (const geometry of geometriesOf(placemark)) {
    if (geometry.name === 'Polygon') readPolygon(geometry, found);
    else others = true;
  }
  if (found.tooMany) return dropped('too_many_vertices');
  if (found.malformed) return dropped('coordinates_not_finite');
  if (!found.vertices) return dropped(others ? 'not_a_polygon' : 'no_geometry');
  if (found.polygons.length === 0) return dropped('no_area');
  return { polygons: found.polygons, repaired: found.repaired };
}

const nothingFound = () => ({
  polygons: [] as Polygon[],
  repaired: false,
  vertices: false,
  malformed: false,
  tooMany: false,
});
type Found = ReturnType<typeof nothingFound>;

function* geometriesOf(parent: XmlElement): Generator<XmlElement> {
  for (const child of parent.children) {
    if (child.name === 'Polygon' || otherGeometries.has(child.name)) yield child;
    else if (child.name === 'MultiGeometry' || child.name === 'MultiPolygon') yield* geometriesOf(child);
  }
}

function readPolygon(polygon: XmlElement, found: Found): void {
  const outer: Ring[] = [];
  const inner: Ring[] = [];
  for (const boundary of polygon.children) {
    if (boundary.name === 'outerBoundaryIs') readRings(boundary, outer, found);
    else if (boundary.name === 'innerBoundaryIs') readRings(boundary, inner, found);
  }
  const [shell, ...more] = outer;
  if (!shell) return;
  found.polygons.push([shell, ...inner.map((ring) => against(shell, ring))]);
  // A second outer boundary violates the schema, and is read as a polygon.
  if (more.length > 0) found.repaired = true;
  for (const ring of more) found.polygons.push([ring]);
}

/** An inner boundary in the other direction than the outer one: it is a hole by its name, not by how it runs. */
function against(shell: Ring, ring: Ring): Ring {
  if (signedArea(shell) > 0 !== signedArea(ring) > 0) return ring;
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) turned.set(ring.subarray(i, i + 2), ring.length - 2 - i);
  return turned;
}

function readRings(boundary: XmlElement, rings: Ring[], found: Found): void {
  const holders = childrenOf(boundary, 'LinearRing');
  for (const holder of holders.length > 0 ? holders : [boundary]) {
    for (const { coordinates } of childrenOf(holder, 'coordinates')) {
      if (!coordinates) continue;
      const points = coordinates.finish();
      if (coordinates.tooMany) found.tooMany = true;
      if (coordinates.malformed) found.malformed = true;
      if (points.length === 0) continue;
      found.vertices = true;
      const ring = usableRing(points);
      if (ring !== points) found.repaired = true;
      if (ring) rings.push(ring);
    }
  }
}
