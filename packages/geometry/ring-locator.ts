import Flatbush from 'flatbush';
import type { Ring } from './polygon.ts';

/** Rings of fewer points need no index. */
const indexedFrom = 64;

/** Tells by the parity of the edges to its right if a point is inside a ring. Points on the boundary may be either. */
export function ringLocator(ring: Ring): (x: number, y: number) => boolean {
  const edges = ring.length / 2 - 1;
  /** The boxes of a large ring's edges. */
  const tree = edges + 1 < indexedFrom ? undefined : new Flatbush(edges);
  if (tree) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1] = [ring[i] as number, ring[i + 1] as number];
      const [x2, y2] = [ring[i + 2] as number, ring[i + 3] as number];
      tree.add(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
    }
    tree.finish();
  }
  return (x, y) => {
    let inside = false;
    const crossEdge = (edge: number) => {
      if (passesRightOf(ring, 2 * edge, x, y)) inside = !inside;
      return false;
    };
    if (tree) tree.search(x, y, Infinity, y, crossEdge);
    else for (let edge = 0; edge < edges; edge++) crossEdge(edge);
    return inside;
  };
}

/** Tells if the ring's edge at `at` meets the ray from a point to the right. */
export function passesRightOf(ring: Ring, at: number, x: number, y: number): boolean {
  const y1 = ring[at + 1] as number;
  const y2 = ring[at + 3] as number;
  if (y1 > y === y2 > y) return false;
  const x1 = ring[at] as number;
  return x < x1 + ((y - y1) / (y2 - y1)) * ((ring[at + 2] as number) - x1);
}
