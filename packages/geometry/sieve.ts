import { rootOf } from './union-find.ts';

/** The borders of a window where regions may go on. */
interface OpenBorders {
  top: boolean;
  bottom: boolean;
  sides: boolean;
}

/**
 * Gives regions of fewer than `fewest` pixels, connected by edges, the label of the largest region beside them, the smallest first. Regions at an
 * open border of the window stay, as they may go on beyond it.
 * @param labels row by row, changed in place
 * @returns the number of pixels with a new label
 */
export function sieve(
  labels: Int16Array,
  width: number,
  height: number,
  fewest: number,
  open: OpenBorders = { top: true, bottom: true, sides: true },
): number {
  const pixels = width * height;
  /** Union-find: a region is known by its root pixel. */
  const parents = new Int32Array(pixels);
  for (let pixel = 0; pixel < pixels; pixel++) parents[pixel] = pixel;
  /** The pixels of a region in a ring, each with its successor: exchanging two successors makes one ring of two. */
  const next = parents.slice();
  /** By root, like all that follow. */
  const ownLabels = labels.slice();
  const sizes = new Int32Array(pixels).fill(1);
  /** 1 where the region reaches an open border of the window. */
  const atBorder = new Uint8Array(pixels);

  /** Joins two regions of one label. @returns the root */
  function unite(a: number, b: number): number {
    const first = rootOf(parents, a);
    const second = rootOf(parents, b);
    if (first === second) return first;
    const isFirst = (sizes[first] as number) >= (sizes[second] as number);
    const [root, child] = isFirst ? [first, second] : [second, first];
    parents[child] = root;
    sizes[root] = (sizes[root] as number) + (sizes[child] as number);
    atBorder[root] = (atBorder[root] as number) | (atBorder[child] as number);
    const following = next[root] as number;
    next[root] = next[child] as number;
    next[child] = following;
    return root;
  }

  /** Unites the pixels of a row that make a region which is large enough by itself: all refer to the first. */
  function uniteRun(start: number, end: number, isAtBorder: boolean): void {
    parents.fill(start, start, end);
    for (let pixel = start; pixel < end - 1; pixel++) next[pixel] = pixel + 1;
    next[end - 1] = start;
    sizes[start] = end - start;
    atBorder[start] = Number(isAtBorder);
  }

  function regionsBeside(root: number): Set<number> {
    const found = new Set<number>();
    let pixel = root;
    do {
      const x = pixel % width;
      if (x > 0) found.add(rootOf(parents, pixel - 1));
      if (x < width - 1) found.add(rootOf(parents, pixel + 1));
      if (pixel >= width) found.add(rootOf(parents, pixel - width));
      if (pixel + width < pixels) found.add(rootOf(parents, pixel + width));
      pixel = next[pixel] as number;
    } while (pixel !== root);
    found.delete(root);
    return found;
  }

  /** Gives a region the label of the largest one beside it, and joins it to all neighbours of that label. @returns the root */
  function joinLargestBeside(root: number): number {
    const beside = regionsBeside(root);
    let largest = root;
    for (const other of beside)
      if (largest === root || (sizes[other] as number) > (sizes[largest] as number)) largest = other;
    const label = ownLabels[largest] as number;
    ownLabels[root] = label;
    let joined = root;
    for (const other of beside) if (ownLabels[other] === label) joined = unite(joined, other);
    return joined;
  }

  for (let y = 0, pixel = 0; y < height; y++) {
    const isAtEnd = (open.top && y === 0) || (open.bottom && y === height - 1);
    for (let x = 0; x < width; ) {
      const label = labels[pixel];
      const start = pixel;
      const from = x;
      do {
        x++;
        pixel++;
      } while (x < width && labels[pixel] === label);
      const isAtSide = open.sides && (from === 0 || x === width);
      if (pixel - start >= fewest) uniteRun(start, pixel, isAtEnd || isAtSide);
      else
        for (let one = start; one < pixel; one++) {
          const isFirstOrLast = (one === start && from === 0) || (one === pixel - 1 && x === width);
          atBorder[one] = Number(isAtEnd || (open.sides && isFirstOrLast));
          if (one > start) unite(one, one - 1);
          if (y > 0 && labels[one - width] === label) unite(one, one - width);
        }
      if (y === 0 || pixel - start < fewest) continue;
      for (let one = start; one < pixel; one++) {
        // The pixels before it have united the same two runs.
        const isKnown = one > start && labels[one - width - 1] === label;
        if (!isKnown && labels[one - width] === label) unite(one, one - width);
      }
    }
  }
  const small = Array.from({ length: fewest }, (): number[] => []);
  /** No others get a new label. */
  const inSmall: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (parents[pixel] !== pixel || (sizes[pixel] as number) >= fewest) continue;
    small[sizes[pixel] as number]?.push(pixel);
    for (let one = pixel; ; one = next[one] as number) {
      inSmall.push(one);
      if (next[one] === pixel) break;
    }
  }
  for (let size = 1; size < fewest; size++) {
    for (const region of small[size] as number[]) {
      const root = rootOf(parents, region);
      if (atBorder[root]) continue;
      // A region that has grown meanwhile is examined later.
      const joined = (sizes[root] as number) > size ? root : joinLargestBeside(root);
      const now = sizes[joined] as number;
      if (now > size) small[now]?.push(joined);
    }
  }
  let changed = 0;
  for (const pixel of inSmall) {
    const label = ownLabels[rootOf(parents, pixel)] as number;
    if (labels[pixel] === label) continue;
    labels[pixel] = label;
    changed++;
  }
  return changed;
}
