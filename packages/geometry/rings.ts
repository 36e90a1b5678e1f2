import Flatbush from 'flatbush';
import { type Polygon, type Ring, ringBox, signedArea } from './polygon.ts';
import { ringLocator } from './ring-locator.ts';

export interface Assembly {
  polygons: Polygon[];
  /** True where a ring was closed or dropped, or directions were ignored. */
  repaired: boolean;
}

/**
 * Makes polygons of the rings of a shapefile record (ESRI Shapefile Technical Description, July 1998, page 8: outer rings run clockwise, holes
 * counter-clockwise, in any order). A hole belongs to the smallest outer ring around it. If one has none, directions are wrong and nesting decides.
 * Rings without an area are dropped. Takes rings × log(rings) plus vertices.
 */
export function assembleRings(rings: readonly Ring[]): Assembly {
  const { measured, repaired } = measureRings(rings);
  // A self-crossing ring can have a signed area of zero, and still covers something.
  const outer = measured.filter(({ area }) => area <= 0);
  const inner = measured.filter(({ area }) => area > 0);
  if (inner.length === 0) return { polygons: outer.map(({ ring }) => [ring]), repaired };
  if (outer.length === 0) return { polygons: assembleByDepth(measured), repaired: true };
  const polygons = new Map<MeasuredRing, Polygon>(outer.map((shell) => [shell, [shell.ring]]));
  const index = ringIndex(outer);
  for (const hole of inner) {
    const shell = smallest(index(hole));
    const polygon = shell && polygons.get(shell);
    // A hole outside all outer rings: the directions are wrong.
    if (!polygon) return { polygons: assembleByDepth(measured), repaired: true };
    polygon.push(hole.ring);
  }
  return { polygons: [...polygons.values()], repaired };
}

/** Makes polygons of rings without reliable directions: those within an odd number of others are holes. */
export function assembleNestedRings(rings: readonly Ring[]): Assembly {
  const { measured, repaired } = measureRings(rings);
  return { polygons: measured.length > 0 ? assembleByDepth(measured) : [], repaired };
}

export interface RingsAround {
  polygons: Polygon[];
  /** Holes of no outer ring, which are dropped. */
  stray: Ring[];
  /** Holes within holes, which may be meant as areas. */
  nested: Ring[];
}

/**
 * Makes polygons of a polygon that may have several outer rings. Further rings should be holes, and run the other way than the first (RFC 7946,
 * 3.1.6). One with the first's direction is an area of its own beside the first, or in a hole with the other direction. Elsewhere inside it is a hole,
 * as writers often ignore directions. Repeated rings count once.
 * @param outside tells of each further ring if it lies outside the first
 */
export function assembleAround(
  outer: Ring,
  further: readonly Ring[],
  outside: readonly boolean[],
): RingsAround {
  const asMeasured = (ring: Ring): MeasuredRing => ({
    ring,
    area: signedArea(ring),
    size: Math.abs(signedArea(ring)),
  });
  const first = asMeasured(outer);
  const isNew = unlikeBefore();
  isNew(outer);
  const rings = further
    .map((ring, i) => ({ ...asMeasured(ring), isOutside: outside[i] === true }))
    .filter(({ ring }) => isNew(ring));
  const runsAsFirst = ({ area }: MeasuredRing) => area > 0 === first.area > 0;
  const inside = rings.filter(({ isOutside }) => !isOutside);
  const indexInside = inside.length > 1 ? ringIndex(inside) : () => [];
  const shells: MeasuredRing[] = [first];
  const holes: typeof rings = [];
  const nested: Ring[] = [];
  for (const ring of rings) {
    const around =
      runsAsFirst(ring) && !ring.isOutside
        ? smallest(indexInside(ring).filter((one) => one.ring !== ring.ring))
        : undefined;
    if (runsAsFirst(ring) && (ring.isOutside || (around && !runsAsFirst(around)))) shells.push(ring);
    else holes.push(ring);
    if (around && runsAsFirst(around)) nested.push(ring.ring);
  }
  const polygons = new Map<MeasuredRing, Polygon>(shells.map((shell) => [shell, [shell.ring]]));
  const index = ringIndex(shells);
  const stray: Ring[] = [];
  for (const hole of holes) {
    // The middle of a ring that crosses the first one may lie outside.
    const shell = smallest(index(hole)) ?? (hole.isOutside ? undefined : first);
    if (shell) polygons.get(shell)?.push(hole.ring);
    else stray.push(hole.ring);
  }
  return { polygons: [...polygons.values()], stray, nested };
}

/** Returns a function that tells if a ring differs from all before it. Only rings with the same box are compared. */
function unlikeBefore(): (ring: Ring) => boolean {
  const firstOfBox = new Map<string, Ring>();
  const ofBox = new Map<string, Set<string>>();
  return (ring) => {
    const box = `${ring.length} ${ringBox(ring)}`;
    const first = firstOfBox.get(box);
    if (!first) {
      firstOfBox.set(box, ring);
      return true;
    }
    const known = ofBox.get(box) ?? new Set([verticesOf(first)]);
    ofBox.set(box, known);
    return known.size < known.add(verticesOf(ring)).size;
  };
}

/** The sorted vertices of a closed ring: the same for any start and direction. */
function verticesOf(ring: Ring): string {
  const vertices: string[] = [];
  for (let i = 2; i < ring.length; i += 2) vertices.push(`${ring[i]} ${ring[i + 1]}`);
  return vertices.sort().join();
}

interface MeasuredRing {
  ring: Ring;
  area: number;
  size: number;
}

/** Closes the rings, and drops those without an area. */
function measureRings(rings: readonly Ring[]): { measured: MeasuredRing[]; repaired: boolean } {
  let repaired = false;
  const measured: MeasuredRing[] = [];
  for (const ring of rings) {
    const closed = usableRing(ring);
    if (closed !== ring) repaired = true;
    if (!closed) continue;
    const area = signedArea(closed);
    measured.push({ ring: closed, area, size: Math.abs(area) });
  }
  return { measured, repaired };
}

function assembleByDepth(rings: readonly MeasuredRing[]): Polygon[] {
  const index = ringIndex(rings);
  const around = new Map(rings.map((ring) => [ring, index(ring).filter((other) => other !== ring)]));
  const isHole = (ring: MeasuredRing) => (around.get(ring)?.length ?? 0) % 2 === 1;
  const shells = rings.filter((ring) => !isHole(ring));
  const polygons = new Map(shells.map((shell): [MeasuredRing, Polygon] => [shell, [shell.ring]]));
  for (const hole of rings.filter(isHole)) {
    const shell = smallest((around.get(hole) ?? []).filter((other) => !isHole(other)));
    const polygon = shell && polygons.get(shell);
    if (polygon) polygon.push(hole.ring);
    else polygons.set(hole, [hole.ring]);
  }
  return [...polygons.values()];
}

const smallest = (rings: readonly MeasuredRing[]) =>
  rings.reduce<MeasuredRing | undefined>(
    (best, ring) => (best && best.size <= ring.size ? best : ring),
    undefined,
  );

/** An index of the rings that contain a point inside the given ring; the ring itself is among them if it is one of the indexed. */
function ringIndex(rings: readonly MeasuredRing[]): (ring: MeasuredRing) => MeasuredRing[] {
  const locators: ReturnType<typeof ringLocator>[] = [];
  const tree = new Flatbush(rings.length);
  for (const { ring } of rings) tree.add(...ringBox(ring));
  tree.finish();
  const contains = (i: number, { ring }: MeasuredRing, x: number, y: number) => {
    locators[i] ??= ringLocator(ring);
    return locators[i](x, y);
  };
  return ({ ring, size }) => {
    // A point well inside decides: a hole may share any number of vertices with the ring around it.
    const { x, y } = pointInside(ring);
    return tree.search(x, y, x, y).flatMap((i) => {
      const other = rings[i] as MeasuredRing;
      return other.size >= size && contains(i, other, x, y) ? [other] : [];
    });
  };
}

/** A point inside a ring, far from its edges: the middle of the widest stretch at half the height of its tallest edge. */
export function pointInside(ring: Ring): { x: number; y: number } {
  let tallest = 0;
  let y = ring[1] as number;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const y1 = ring[i + 1] as number;
    const y2 = ring[i + 3] as number;
    if (Math.abs(y2 - y1) > tallest) {
      tallest = Math.abs(y2 - y1);
      y = y1 + (y2 - y1) / 2;
    }
  }
  const crossings: number[] = [];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [x1, y1] = [ring[i] as number, ring[i + 1] as number];
    const [x2, y2] = [ring[i + 2] as number, ring[i + 3] as number];
    if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  }
  crossings.sort((a, b) => a - b);
  let x = ring[0] as number;
  let widest = -1;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const left = crossings[i] as number;
    const right = crossings[i + 1] as number;
    if (right - left > widest) {
      widest = right - left;
      x = left + (right - left) / 2;
    }
  }
  return { x, y };
}

/** Tells if a closed ring has an inside: enough points, not all on one line. */
function coversArea(ring: Ring): boolean {
  if (ring.length < 8) return false;
  const x0 = ring[0] as number;
  const y0 = ring[1] as number;
  let dx = 0;
  let dy = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const x = (ring[i] as number) - x0;
    const y = (ring[i + 1] as number) - y0;
    if (dx === 0 && dy === 0) {
      dx = x;
      dy = y;
    } else if (dx * y !== dy * x) return true;
  }
  return false;
}

/** The closed ring, itself if it was closed already; undefined if it has no area. */
export function usableRing(ring: Ring): Ring | undefined {
  const closed = closeRing(ring);
  return coversArea(closed) ? closed : undefined;
}

/** The ring with its first point repeated at the end; itself where it already is. */
function closeRing(ring: Ring): Ring {
  const last = ring.length - 2;
  if (ring.length < 2 || (ring[0] === ring[last] && ring[1] === ring[last + 1])) return ring;
  const closed = new Float64Array(ring.length + 2);
  closed.set(ring);
  closed.set(ring.subarray(0, 2), ring.length);
  return closed;
}
