import Flatbush from 'flatbush';
import { type Box, type Polygon, vertexCount } from './polygon.ts';

/** Outlines of fewer edges are not checked: PostGIS repairs them in a second or two, however often they cross. */
const minEdges = 500;
/** Outlines that were drawn badly cross themselves at some of their edges; only a tangle does at every one. */
const minCrossings = 1000;
/** The most pairs of edges to compare: a second or two. */
const maxPairs = 50_000_000;

/** Tells if an outline crosses itself more often than it has edges: repairing it would take the square of that, mostly for nothing. */
export function isTangle(polygons: readonly Polygon[]): boolean {
  const edges = countEdges(polygons);
  return edges >= minEdges && crossesItselfMoreThan(polygons, Math.max(minCrossings, edges));
}

const countEdges = (polygons: readonly Polygon[]) =>
  polygons.reduce((edges, polygon) => edges - polygon.length, vertexCount(polygons));

/** Tells if edges of a feature cross more than `max` times at a point inside both. The count stops after {@link maxPairs} comparisons. */
export function crossesItselfMoreThan(polygons: readonly Polygon[], max: number): boolean {
  const edges = countEdges(polygons);
  const coordinates = new Float64Array(4 * edges);
  const tree = new Flatbush(edges, 8);
  let edge = 0;
  for (const ring of polygons.flat()) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      coordinates.set(ring.subarray(i, i + 4), 4 * edge);
      tree.add(...boxOfEdge(coordinates, edge++));
    }
  }
  tree.finish();
  let crossings = 0;
  let pairs = 0;
  for (let a = 0; a < edges && crossings <= max && pairs < maxPairs; a++) {
    tree.search(...boxOfEdge(coordinates, a), (b) => {
      pairs++;
      if (b > a && cross(coordinates, a, b)) crossings++;
      return false;
    });
  }
  return crossings > max;
}

function boxOfEdge(coordinates: Float64Array, edge: number): Box {
  const [x1, y1] = [coordinates[4 * edge] as number, coordinates[4 * edge + 1] as number];
  const [x2, y2] = [coordinates[4 * edge + 2] as number, coordinates[4 * edge + 3] as number];
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Tells if two edges cross at a point inside both. */
function cross(coordinates: Float64Array, a: number, b: number): boolean {
  const sides = (edge: number, other: number) =>
    side(coordinates, edge, 4 * other) * side(coordinates, edge, 4 * other + 2);
  return sides(a, b) < 0 && sides(b, a) < 0;
}

function side(coordinates: Float64Array, edge: number, point: number): number {
  const x1 = coordinates[4 * edge] as number;
  const y1 = coordinates[4 * edge + 1] as number;
  const x2 = coordinates[4 * edge + 2] as number;
  const y2 = coordinates[4 * edge + 3] as number;
  const x = coordinates[point] as number;
  const y = coordinates[point + 1] as number;
  return Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
}
