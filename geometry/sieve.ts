import { rootOf } from './union-find.ts';

/**
 * Gives regions of few pixels the label of the largest region beside them, the smallest first, until none has fewer than `fewest`.
 * Pixels hang together by edges. Regions at an open border of the window stay, as they may go on beyond it.
 * @param labels row by row, changed in place
 * @returns how many pixels have got another label
 */
export function sieve(
  labels: Int16Array,
  width: number,
  height: number,
  fewest: number,
  open: OpenBorders = { top: true, bottom: true, sides: true },
): number {
  const regions = new Regions(labels, width, height, open);
  const small = regions.smallerThan(fewest);
  for (let size = 1; size < fewest; size++) {
    for (const region of small[size] as number[]) {
      const root = regions.rootOf(region);
      if (regions.atBorder[root]) continue;
      // Where others have joined it meanwhile, its turn comes later.
      const grown = regions.sizes[root] as number;
      const joined = grown > size ? root : regions.joinLargestBeside(root);
      const now = regions.sizes[joined] as number;
      if (now > size) small[now]?.push(joined);
    }
  }
  return regions.write(labels);
}

/** The borders of a window beyond which there is more. */
export interface OpenBorders {
  top: boolean;
  bottom: boolean;
  sides: boolean;
}

/** Regions of equal pixels, which can join: each is known by one of its pixels, its root. */
class Regions {
  readonly #width: number;
  readonly #height: number;
  readonly #parents: Int32Array;
  /** The pixels of a region in a ring, each with its successor: exchanging two successors makes one ring of two. */
  readonly #next: Int32Array;
  /** By root. */
  readonly #labels: Int16Array;
  /** By root: pixels. */
  readonly sizes: Int32Array;
  /** By root: 1 where it reaches an open border of the window. */
  readonly atBorder: Uint8Array;

  constructor(labels: Int16Array, width: number, height: number, open: OpenBorders) {
    this.#width = width;
    this.#height = height;
    this.#labels = labels.slice();
    this.#parents = new Int32Array(width * height);
    for (let pixel = 0; pixel < width * height; pixel++) this.#parents[pixel] = pixel;
    this.#next = this.#parents.slice();
    this.sizes = new Int32Array(width * height).fill(1);
    this.atBorder = new Uint8Array(width * height);
    for (let y = 0, pixel = 0; y < height; y++) {
      for (let x = 0; x < width; x++, pixel++) {
        const isAtSide = open.sides && (x === 0 || x === width - 1);
        const isAtEnd = (open.top && y === 0) || (open.bottom && y === height - 1);
        this.atBorder[pixel] = Number(isAtSide || isAtEnd);
        if (x > 0 && labels[pixel] === labels[pixel - 1]) this.#unite(pixel, pixel - 1);
        if (y > 0 && labels[pixel] === labels[pixel - width]) this.#unite(pixel, pixel - width);
      }
    }
  }

  rootOf(pixel: number): number {
    return rootOf(this.#parents, pixel);
  }

  /** Regions of fewer than `most` pixels, by their size: a list for each. */
  smallerThan(most: number): number[][] {
    const found = Array.from({ length: most }, (): number[] => []);
    for (let pixel = 0; pixel < this.#parents.length; pixel++) {
      if (this.#parents[pixel] === pixel) found[this.sizes[pixel] as number]?.push(pixel);
    }
    return found;
  }

  /** Gives a region the label of the largest one beside it, and joins it to all beside it that have this label. @returns the root */
  joinLargestBeside(root: number): number {
    const beside = this.#beside(root);
    let largest = root;
    for (const other of beside) {
      if (largest === root || (this.sizes[other] as number) > (this.sizes[largest] as number))
        largest = other;
    }
    const label = this.#labels[largest] as number;
    this.#labels[root] = label;
    let joined = root;
    for (const other of beside) if (this.#labels[other] === label) joined = this.#unite(joined, other);
    return joined;
  }

  /** @returns how many pixels have another label than before */
  write(labels: Int16Array): number {
    let changed = 0;
    for (let pixel = 0; pixel < labels.length; pixel++) {
      const label = this.#labels[this.rootOf(pixel)] as number;
      if (labels[pixel] === label) continue;
      labels[pixel] = label;
      changed++;
    }
    return changed;
  }

  #beside(root: number): Set<number> {
    const found = new Set<number>();
    const [width, pixels] = [this.#width, this.#width * this.#height];
    let pixel = root;
    do {
      const x = pixel % width;
      if (x > 0) found.add(this.rootOf(pixel - 1));
      if (x < width - 1) found.add(this.rootOf(pixel + 1));
      if (pixel >= width) found.add(this.rootOf(pixel - width));
      if (pixel + width < pixels) found.add(this.rootOf(pixel + width));
      pixel = this.#next[pixel] as number;
    } while (pixel !== root);
    found.delete(root);
    return found;
  }

  /** Two regions of the same label become one. @returns its root */
  #unite(a: number, b: number): number {
    const first = this.rootOf(a);
    const second = this.rootOf(b);
    if (first === second) return first;
    const [root, child] =
      (this.sizes[first] as number) >= (this.sizes[second] as number) ? [first, second] : [second, first];
    this.#parents[child] = root;
    this.sizes[root] = (this.sizes[root] as number) + (this.sizes[child] as number);
    this.atBorder[root] = (this.atBorder[root] as number) | (this.atBorder[child] as number);
    const next = this.#next[root] as number;
    this.#next[root] = this.#next[child] as number;
    this.#next[child] = next;
    return root;
  }
}
