import Flatbush from 'flatbush';
import type { Ring } from './polygon.ts';

/** Below this many points a ring is walked whole. */
const indexedFrom = 64;

/** Tells by the parity of the edges to its right whether a point is inside a ring. */
export class RingLocator {
  readonly #ring: Ring;
  /** The edges of a large ring, by their boxes. */
  readonly #edges: Flatbush | undefined;

  constructor(ring: Ring) {
    this.#ring = ring;
    if (ring.length / 2 < indexedFrom) return;
    this.#edges = new Flatbush(ring.length / 2 - 1);
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = [ring[i], ring[i + 1], ring[i + 2], ring[i + 3]] as [
        number,
        number,
        number,
        number,
      ];
      this.#edges.add(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
    }
    this.#edges.finish();
  }

  /** Points on the boundary may be told either way. */
  contains(x: number, y: number): boolean {
    let inside = false;
    const look = (edge: number) => {
      if (this.#crosses(2 * edge, x, y)) inside = !inside;
      return false;
    };
    if (this.#edges) this.#edges.search(x, y, Infinity, y, look);
    else for (let edge = 0; 2 * edge + 3 < this.#ring.length; edge++) look(edge);
    return inside;
  }

  #crosses(at: number, x: number, y: number): boolean {
    const x1 = this.#ring[at] as number;
    const y1 = this.#ring[at + 1] as number;
    const x2 = this.#ring[at + 2] as number;
    const y2 = this.#ring[at + 3] as number;
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
  }
}
