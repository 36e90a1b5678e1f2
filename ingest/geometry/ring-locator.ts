import type { Box, Ring } from './polygon.ts';

/** Below this many points a ring is walked whole. */
const slabsFrom = 64;
const pointsPerSlab = 8;
const maxSlabs = 65_536;
const maxEntriesPerPoint = 4;

/** Tells by the parity of the edges to its right whether a point is inside a ring. Edges of large rings are sorted into slabs. */
export class RingLocator {
  readonly #ring: Ring;
  readonly #ymin: number;
  #slabHeight: number;
  /** Offsets of edges in the ring, slab after slab; `#slabStart[i]` is where slab i begins. */
  readonly #edges: Uint32Array | undefined;
  readonly #slabStart: Uint32Array | undefined;

  constructor(ring: Ring, box: Box) {
    this.#ring = ring;
    const [, ymin, , ymax] = box;
    this.#ymin = ymin;
    const points = ring.length / 2;
    const height = ymax - ymin;
    let slabs = Math.min(maxSlabs, Math.floor(points / pointsPerSlab));
    this.#slabHeight = height / slabs;
    if (points < slabsFrom || !(this.#slabHeight > 0)) return;
    // Tall edges stand in many slabs. Fewer slabs keep the sum of it in proportion to the ring.
    while (slabs > 1 && this.#entries(slabs) > maxEntriesPerPoint * points) {
      slabs = Math.max(1, slabs >> 1);
      this.#slabHeight = height / slabs;
    }
    const start = new Uint32Array(slabs + 1);
    this.#eachSlab(slabs, (slab) => {
      start[slab + 1] = (start[slab + 1] as number) + 1;
    });
    for (let i = 0; i < slabs; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
    const edges = new Uint32Array(start[slabs] as number);
    const filled = start.slice(0, slabs);
    this.#eachSlab(slabs, (slab, edge) => {
      edges[filled[slab] as number] = edge;
      filled[slab] = (filled[slab] as number) + 1;
    });
    this.#edges = edges;
    this.#slabStart = start;
  }

  /** Points on the boundary may be told either way. */
  contains(x: number, y: number): boolean {
    const edges = this.#edges;
    const starts = this.#slabStart;
    let inside = false;
    if (edges && starts) {
      const slab = this.#slabOf(y, starts.length - 1);
      for (let i = starts[slab] as number, end = starts[slab + 1] as number; i < end; i++)
        if (this.#crosses(edges[i] as number, x, y)) inside = !inside;
    } else {
      for (let edge = 0; edge + 3 < this.#ring.length; edge += 2)
        if (this.#crosses(edge, x, y)) inside = !inside;
    }
    return inside;
  }

  #crosses(edge: number, x: number, y: number): boolean {
    const x1 = this.#ring[edge] as number;
    const y1 = this.#ring[edge + 1] as number;
    const x2 = this.#ring[edge + 2] as number;
    const y2 = this.#ring[edge + 3] as number;
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
  }

  #slabOf(y: number, slabs: number): number {
    return Math.max(0, Math.min(slabs - 1, Math.floor((y - this.#ymin) / this.#slabHeight)));
  }

  /** Over all slabs, their edges. */
  #entries(slabs: number): number {
    let sum = 0;
    for (let edge = 1; edge + 2 < this.#ring.length; edge += 2) {
      const first = this.#slabOf(this.#ring[edge] as number, slabs);
      sum += Math.abs(this.#slabOf(this.#ring[edge + 2] as number, slabs) - first) + 1;
    }
    return sum;
  }

  #eachSlab(slabs: number, visit: (slab: number, edge: number) => void): void {
    for (let edge = 0; edge + 3 < this.#ring.length; edge += 2) {
      const y1 = this.#ring[edge + 1] as number;
      const y2 = this.#ring[edge + 3] as number;
      const last = this.#slabOf(Math.max(y1, y2), slabs);
      for (let slab = this.#slabOf(Math.min(y1, y2), slabs); slab <= last; slab++) visit(slab, edge);
    }
  }
}
