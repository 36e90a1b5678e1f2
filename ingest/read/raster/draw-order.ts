import Flatbush from 'flatbush';
import type { Bounds } from '../../../geometry/bounds.ts';
import type { Box } from '../../../geometry/polygon.ts';
import { nothing } from './classes.ts';
import type { LabelledPart, LabelSource } from './labels.ts';
import { edgeOf, type Placement } from './placement.ts';

/* Which pixels of ground overlays are seen (KML 2.3, drawOrder): where images overlap, the one that is drawn later. */

/** An overlay whose header has been read. */
export interface PlacedImage {
  width: number;
  height: number;
  bytes: number;
  /** Its pixels, looked up in the classes. */
  labels(): LabelSource;
  /** Its pixels, {@link nothing} where they are transparent. */
  opacity(): AsyncGenerator<LabelledPart>;
  placement: Placement;
  /** Where its edges are parallel to the axes. */
  aligned: Bounds | undefined;
  box: Box;
  /** See {@link Overlay.tile}. */
  tile?: string | undefined;
}

/** Memory for which pixels of images are opaque. */
const maxMaskBytes = 128 * 1024 * 1024;
/** Cells of a refined grid that are labelled at a time, in each direction. */
const cellsAtOnce = 512;
/** Edges closer than this, in pixels, are one edge: what numbers of a file written with seven digits come to. */
const sameEdge = 1e-6;

/** An image that is drawn over another. */
interface Cover {
  placed: PlacedImage;
  /** Whether it hides what is below it whole: a finer tile of the same image. */
  whole: boolean;
  /** What to add to its longitudes: -360, 0 or 360. */
  shift: number;
}

/** A window of an image, refined where images above have their edges within it. */
export interface VisibleWindow {
  labels: Int16Array;
  width: number;
  height: number;
  place(column: number, row: number, out: Float64Array, at: number): void;
}

export class DrawOrder {
  readonly #images: PlacedImage[];
  readonly #index: Flatbush;
  readonly #masks = new Map<PlacedImage, Uint8Array>();
  #maskBytes = 0;
  /** Dropped pixels whose centre is hidden, of images not aligned with those above. */
  hiddenByMiddle = 0;

  /** @param images those drawn first, first */
  constructor(images: PlacedImage[]) {
    this.#images = images;
    this.#index = new Flatbush(Math.max(1, images.length));
    for (const { box } of images) this.#index.add(...box);
    if (images.length === 0) this.#index.add(0, 0, 0, 0);
    this.#index.finish();
  }

  /** The images drawn over image `i` that share more than an edge with it. */
  coversOf(i: number): Cover[] {
    const { box, tile } = this.#images[i] as PlacedImage;
    const [west, south, east, north] = box;
    const covers: Cover[] = [];
    for (const shift of [-360, 0, 360]) {
      for (const other of this.#index
        .search(west - shift, south, east - shift, north)
        .sort((a, b) => a - b)) {
        if (other <= i) continue;
        const placed = this.#images[other] as PlacedImage;
        const whole = tile !== undefined && placed.tile?.startsWith(`${tile}/`) === true;
        covers.push({ placed, whole, shift });
      }
    }
    return covers;
  }

  /** What is seen of a window of an image. */
  async *visible(lower: PlacedImage, covers: Cover[], window: LabelledPart): AsyncGenerator<VisibleWindow> {
    const box = boxOfWindow(lower.placement, window);
    const near = covers.filter(({ placed, shift }) => overlaps(box, placed.box, shift));
    const exact = near.filter(({ placed }) => lower.aligned && placed.aligned);
    for (const cover of near) if (!exact.includes(cover)) await this.#hideByMiddle(lower, cover, window);
    if (exact.length === 0 || !lower.aligned) {
      const { x, y, width, height, labels } = window;
      const { place } = lower.placement;
      yield { labels, width, height, place: (column, row, out, at) => place(x + column, y + row, out, at) };
      return;
    }
    yield* this.#refined(lower, lower.aligned, exact, window);
  }

  async #hideByMiddle(
    lower: PlacedImage,
    { placed, whole, shift }: Cover,
    window: LabelledPart,
  ): Promise<void> {
    const mask = whole ? undefined : await this.#mask(placed);
    const { width, height } = placed;
    const middle = new Float64Array(2);
    for (let y = 0; y < window.height; y++) {
      for (let x = 0; x < window.width; x++) {
        const at = y * window.width + x;
        if (window.labels[at] === nothing) continue;
        lower.placement.place(window.x + x + 0.5, window.y + y + 0.5, middle, 0);
        const found = placed.placement.locate((middle[0] as number) - shift, middle[1] as number);
        if (!found) continue;
        const [column, row] = [Math.floor(found[0]), Math.floor(found[1])];
        if (column < 0 || row < 0 || column >= width || row >= height) continue;
        if (mask && !isSet(mask, row * width + column)) continue;
        if ((window.labels[at] as number) >= 0) this.hiddenByMiddle++;
        window.labels[at] = nothing;
      }
    }
  }

  /** The window on the grid of the edges of its own pixels and of those above. */
  async *#refined(
    lower: PlacedImage,
    own: Bounds,
    covers: Cover[],
    window: LabelledPart,
  ): AsyncGenerator<VisibleWindow> {
    const { width, height } = lower;
    const across = new Axis(own.west, own.east, width, window.x, window.width);
    const down = new Axis(own.north, own.south, height, window.y, window.height);
    const masks: (Uint8Array | undefined)[] = [];
    for (const { placed, whole, shift } of covers) {
      const { west, east, north, south } = placed.aligned as Bounds;
      across.add(west + shift, east + shift, placed.width);
      down.add(north, south, placed.height);
      masks.push(whole ? undefined : await this.#mask(placed));
    }
    across.finish();
    down.finish();
    for (let top = 0; top < down.cells; top += cellsAtOnce) {
      const rows = Math.min(cellsAtOnce, down.cells - top);
      for (let left = 0; left < across.cells; left += cellsAtOnce) {
        const columns = Math.min(cellsAtOnce, across.cells - left);
        const labels = new Int16Array(columns * rows);
        for (let y = 0; y < rows; y++) {
          for (let x = 0; x < columns; x++) {
            const column = across.own[left + x] as number;
            const row = down.own[top + y] as number;
            let label = window.labels[row * window.width + column] as number;
            for (let k = 0; k < covers.length && label !== nothing; k++) {
              const coverColumn = across.others[k]?.[left + x] as number;
              const coverRow = down.others[k]?.[top + y] as number;
              if (coverColumn < 0 || coverRow < 0) continue;
              const coverWidth = (covers[k] as Cover).placed.width;
              const mask = masks[k];
              if (!mask || isSet(mask, coverRow * coverWidth + coverColumn)) label = nothing;
            }
            labels[y * columns + x] = label;
          }
        }
        yield {
          labels,
          width: columns,
          height: rows,
          place(column, row, out, at) {
            out[at] = across.at(left + column);
            out[at + 1] = down.at(top + row);
          },
        };
      }
    }
  }

  /** A bit a pixel: whether it is opaque. */
  async #mask(placed: PlacedImage): Promise<Uint8Array> {
    const known = this.#masks.get(placed);
    if (known) {
      // The one used last is forgotten last.
      this.#masks.delete(placed);
      this.#masks.set(placed, known);
      return known;
    }
    const { width, height } = placed;
    const mask = new Uint8Array(Math.ceil((width * height) / 8));
    for await (const part of placed.opacity()) {
      for (let i = 0; i < part.labels.length; i++) {
        if (part.labels[i] === nothing) continue;
        const bit = (part.y + Math.floor(i / part.width)) * width + part.x + (i % part.width);
        const at = Math.floor(bit / 8);
        mask[at] = (mask[at] as number) | (1 << (bit % 8));
      }
    }
    for (const [other, bits] of this.#masks) {
      if (this.#maskBytes + mask.length <= maxMaskBytes) break;
      this.#masks.delete(other);
      this.#maskBytes -= bits.length;
    }
    this.#masks.set(placed, mask);
    this.#maskBytes += mask.length;
    return mask;
  }
}

const isSet = (mask: Uint8Array, bit: number) =>
  (((mask[Math.floor(bit / 8)] as number) >> (bit % 8)) & 1) === 1;

function overlaps(a: Box, b: Box, shift: number): boolean {
  return a[0] < b[2] + shift && b[0] + shift < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** The box of all corners of a window, or of an image as the window of all of its pixels. */
export function boxOfWindow(
  placement: Placement,
  { x, y, width, height }: Pick<LabelledPart, 'x' | 'y' | 'width' | 'height'>,
): Box {
  const out = new Float64Array(8);
  placement.place(x, y, out, 0);
  placement.place(x + width, y, out, 2);
  placement.place(x, y + height, out, 4);
  placement.place(x + width, y + height, out, 6);
  const xs = [0, 2, 4, 6].map((i) => out[i] as number);
  const ys = [1, 3, 5, 7].map((i) => out[i] as number);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The edges of several images along one axis, within a window of the first. */
class Axis {
  /** By cell: the column or row in the window. */
  own: number[] = [];
  /** By image above and cell: its column or row, -1 where it is not. */
  others: number[][] = [];
  #edges: number[] = [];
  readonly #sign: number;
  readonly #near: number;
  readonly #ownEdges: number[];
  readonly #images: { from: number; to: number; count: number }[] = [];

  constructor(from: number, to: number, count: number, first: number, length: number) {
    this.#sign = to > from ? 1 : -1;
    this.#near = (Math.abs(to - from) / count) * sameEdge;
    this.#ownEdges = Array.from({ length: length + 1 }, (_, i) => edgeOf(from, to, first + i, count));
  }

  add(from: number, to: number, count: number): void {
    this.#images.push({ from, to, count });
  }

  finish(): void {
    const sign = this.#sign;
    const start = (this.#ownEdges[0] as number) * sign;
    const end = (this.#ownEdges.at(-1) as number) * sign;
    const all: { at: number; own: boolean }[] = this.#ownEdges.map((edge) => ({
      at: edge * sign,
      own: true,
    }));
    for (const { from, to, count } of this.#images) {
      const step = (to - from) / count;
      const bounds = [(start * sign - from) / step, (end * sign - from) / step];
      const low = Math.max(0, Math.floor(Math.min(...bounds)));
      const high = Math.min(count, Math.ceil(Math.max(...bounds)));
      for (let i = low; i <= high; i++) {
        const at = edgeOf(from, to, i, count) * sign;
        if (at > start && at < end) all.push({ at, own: false });
      }
    }
    all.sort((a, b) => a.at - b.at);
    // Where edges are as good as one, the window's own stands for them.
    const kept: { at: number; own: boolean }[] = [];
    for (const edge of all) {
      const last = kept.at(-1);
      if (!last || edge.at - last.at > this.#near) kept.push(edge);
      else if (edge.own && !last.own) kept[kept.length - 1] = edge;
    }
    this.#edges = kept.map((edge) => edge.at * sign);
    let own = -1;
    this.others = this.#images.map(() => []);
    for (let i = 0; i + 1 < kept.length; i++) {
      if (kept[i]?.own) own++;
      this.own.push(own);
      const middle = ((this.#edges[i] as number) + (this.#edges[i + 1] as number)) / 2;
      this.#images.forEach(({ from, to, count }, k) => {
        const found = Math.floor(((middle - from) / (to - from)) * count);
        this.others[k]?.push(found >= 0 && found < count ? found : -1);
      });
    }
  }

  get cells(): number {
    return this.own.length;
  }

  /** The place of an edge, or between two. */
  at(i: number): number {
    const below = Math.floor(i);
    const edge = this.#edges[below] as number;
    return i === below ? edge : edge + ((this.#edges[below + 1] as number) - edge) * (i - below);
  }
}
