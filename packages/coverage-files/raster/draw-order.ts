import type { Bounds } from '@covermap/geometry/bounds.ts';
import { type Box, ringBox } from '@covermap/geometry/polygon.ts';
import Flatbush from 'flatbush';
import type { Warning } from '../format.ts';
import { nothing } from './classes.ts';
import type { LabelledPart, LabelSource } from './labels.ts';
import { edgeOf, type Placement } from './placement.ts';

/* Finds the visible pixels of ground overlays (KML 2.3, drawOrder): where images overlap, the one drawn later counts. */

export interface PlacedImage {
  width: number;
  height: number;
  bytes: number;
  /** Its pixels as labels of classes. The caller closes it. */
  labels(): Promise<LabelSource>;
  /** Its pixels, {@link nothing} where they are transparent. */
  opacity(): AsyncGenerator<LabelledPart>;
  placement: Placement;
  /** Set where its edges are parallel to the axes. */
  aligned: Bounds | undefined;
  box: Box;
  tile?: string | undefined;
}

const maxMaskBytes = 128 * 1024 * 1024;
/** The side of the part of a refined grid that is labelled at a time, in cells. */
const cellsAtOnce = 512;
/** In pixels: closer edges are one, as some files have seven digits. */
const sameEdge = 1e-6;

interface Cover {
  placed: PlacedImage;
  /** True where it hides all below it: a finer tile of the same image. */
  whole: boolean;
  /** The shift of its longitudes: -360, 0 or 360. */
  shift: number;
}

/** A window of an image, refined by edges of images above. */
type VisibleWindow = Pick<LabelledPart, 'labels' | 'width' | 'height'> & Pick<Placement, 'place'>;

export class DrawOrder {
  readonly #images: PlacedImage[];
  readonly #index: Flatbush;
  readonly #masks = new Map<PlacedImage, Uint8Array>();
  #maskBytes = 0;
  /** The number of dropped pixels with a hidden centre, in images not aligned with those above. */
  #hiddenByMiddle = 0;

  constructor(images: PlacedImage[]) {
    this.#images = images;
    this.#index = new Flatbush(images.length);
    for (const { box } of images) this.#index.add(...box);
    this.#index.finish();
  }

  /** The images above image `i` that overlap it. */
  coversOf(i: number): Cover[] {
    const { box, tile } = this.#images[i] as PlacedImage;
    const [west, south, east, north] = box;
    const covers: Cover[] = [];
    for (const shift of [-360, 0, 360]) {
      const found = this.#index.search(west - shift, south, east - shift, north, (other) => other > i);
      for (const other of found.sort((a, b) => a - b)) {
        const placed = this.#images[other] as PlacedImage;
        const whole = tile !== undefined && placed.tile?.startsWith(`${tile}/`) === true;
        covers.push({ placed, whole, shift });
      }
    }
    return covers;
  }

  /** The visible parts of a window of an image. */
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

  warnings(): Warning[] {
    if (this.#hiddenByMiddle === 0) return [];
    const message = `Rotated images overlap: ${this.#hiddenByMiddle} pixels whose centre is hidden were dropped.`;
    return [{ code: 'overlap_by_pixel_middles', message }];
  }

  async #hideByMiddle(lower: PlacedImage, { placed, whole, shift }: Cover, window: LabelledPart) {
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
        if ((window.labels[at] as number) >= 0) this.#hiddenByMiddle++;
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
    const acrossOf = ({ west, east }: Bounds, count: number, shift = 0): Span => ({
      ...{ from: west + shift, to: east + shift, count },
    });
    const downOf = ({ north, south }: Bounds, count: number): Span => ({ from: north, to: south, count });
    const masks: (Uint8Array | undefined)[] = [];
    const [above, beside]: [Span[], Span[]] = [[], []];
    for (const { placed, whole, shift } of covers) {
      beside.push(acrossOf(placed.aligned as Bounds, placed.width, shift));
      above.push(downOf(placed.aligned as Bounds, placed.height));
      masks.push(whole ? undefined : await this.#mask(placed));
    }
    const across = refinedAxis(acrossOf(own, width), window.x, window.width, beside);
    const down = refinedAxis(downOf(own, height), window.y, window.height, above);
    for (let top = 0; top < down.own.length; top += cellsAtOnce) {
      const rows = Math.min(cellsAtOnce, down.own.length - top);
      for (let left = 0; left < across.own.length; left += cellsAtOnce) {
        const columns = Math.min(cellsAtOnce, across.own.length - left);
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

  async #mask(placed: PlacedImage): Promise<Uint8Array> {
    const known = this.#masks.get(placed);
    if (known) {
      // Moves it to the end of the order of use.
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

/** The box of the corners of a window; the whole image is a window, too. */
export function boxOfWindow(
  placement: Placement,
  { x, y, width, height }: Pick<LabelledPart, 'x' | 'y' | 'width' | 'height'>,
): Box {
  const out = new Float64Array(8);
  placement.place(x, y, out, 0);
  placement.place(x + width, y, out, 2);
  placement.place(x, y + height, out, 4);
  placement.place(x + width, y + height, out, 6);
  return ringBox(out);
}

/** An image along one axis: its ends, and its number of columns or rows. */
interface Span {
  from: number;
  to: number;
  count: number;
}

/** The edges of images along one axis, within a window of the first image that begins at pixel `first`. */
function refinedAxis(image: Span, first: number, length: number, above: readonly Span[]) {
  const sign = image.to > image.from ? 1 : -1;
  const near = (Math.abs(image.to - image.from) / image.count) * sameEdge;
  const edgeAt = ({ from, to, count }: Span, i: number) => edgeOf(from, to, i, count) * sign;
  const all = Array.from({ length: length + 1 }, (_, i) => ({ at: edgeAt(image, first + i), own: true }));
  const [start, end] = [all[0]?.at as number, all.at(-1)?.at as number];
  for (const span of above) {
    const step = (span.to - span.from) / span.count;
    const bounds = [(start * sign - span.from) / step, (end * sign - span.from) / step];
    const low = Math.max(0, Math.floor(Math.min(...bounds)));
    const high = Math.min(span.count, Math.ceil(Math.max(...bounds)));
    for (let i = low; i <= high; i++) {
      const at = edgeAt(span, i);
      if (at > start && at < end) all.push({ at, own: false });
    }
  }
  all.sort((a, b) => a.at - b.at);
  // Nearly equal edges are replaced by the window's own.
  const kept: typeof all = [];
  for (const edge of all) {
    const last = kept.at(-1);
    if (!last || edge.at - last.at > near) kept.push(edge);
    else if (edge.own && !last.own) kept[kept.length - 1] = edge;
  }
  const edges = kept.map(({ at }) => at * sign);
  const edge = (i: number) => edges[i] as number;
  let inWindow = -1;
  const own = kept.slice(1).map((_, i) => (kept[i]?.own ? ++inWindow : inWindow));
  const pixelOf = ({ from, to, count }: Span, i: number) => {
    const found = Math.floor((((edge(i) + edge(i + 1)) / 2 - from) / (to - from)) * count);
    return found >= 0 && found < count ? found : -1;
  };
  return {
    /** By cell: the window's column or row. */
    own,
    /** By image above and cell: its column or row, -1 outside. */
    others: above.map((span) => own.map((_, i) => pixelOf(span, i))),
    /** The position of an edge, or between two. */
    at(i: number): number {
      const below = Math.floor(i);
      return i === below ? edge(i) : edge(below) + (edge(below + 1) - edge(below)) * (i - below);
    },
  };
}
