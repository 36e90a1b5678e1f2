import type { Geometry, Geos } from './geos.ts';
import { type Box, boxesMeet, boxOf, type Polygon, rectangle, vertexCount } from './polygon.ts';
import { passesRightOf } from './ring-locator.ts';
import { wkbOf } from './wkb.ts';

/* Overlays two versions of coverage. Boxes are quartered until one area covers a quarter, or few edges are left for GEOS. */

/** An area of one version, of both, or of another scope beside them. */
export interface Area {
  /** Valid, in degrees. */
  polygon: Polygon;
  /** `stays` is in both versions to the byte. */
  side: 'came' | 'went' | 'stays' | 'beside';
  /** False for planned coverage. Lookups answer from available coverage where there is any. */
  isAvailable: boolean;
}

/** Ground within a cell; none where it is empty. */
export interface Difference {
  gained: Polygon[];
  lost: Polygon[];
  /** The part of `lost` that another scope covers as well as before, or at least as planned. */
  stillCovered: Polygon[];
  /** Ground that was lost and that nothing else covers. */
  uncovered: Polygon[];
  /** Ground that was available and is now planned. */
  downgraded: Polygon[];
}

/** The difference within a box. Areas may reach beyond it. Areas that stay or lie beside are needed only near those that differ. */
export function differenceWithin(geos: Geos, box: Box, areas: readonly Area[]): Difference {
  const parts: Difference = { gained: [], lost: [], stillCovered: [], uncovered: [], downgraded: [] };
  const whole = areas.map((area) => {
    const around = boxOf([area.polygon]);
    return { area, around, middle: middleOf(around), ...flattened(area.polygon) };
  });
  const waiting: Quarter[] = [{ box, reaching: within(box, whole), least: Infinity, vain: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const reaching = deciding(next.reaching);
    if (reaching.length === 0) continue;
    const edges = reaching.reduce((sum, { edges }) => sum + (edges?.length ?? 0), 0);
    const vain = reaching.length > fewer * next.least ? next.vain + 1 : 0;
    if (edges <= fewEdges || vain > maxVain) {
      const here = geos.freeing(() => differenceOf(geos, next.box, reaching));
      for (const [name, part] of Object.entries(here)) parts[name as keyof Difference].push(...part);
      continue;
    }
    const least = vain > 0 ? next.least : reaching.length;
    for (const quarter of quarters(next.box))
      waiting.push({ box: quarter, reaching: within(quarter, reaching), least, vain });
  }
  return parts;
}

interface Quarter {
  box: Box;
  reaching: readonly Reaching[];
  /** The fewest areas of any box around it, and the number of divisions since then. */
  least: number;
  vain: number;
}

/** An area, and the positions in its points of the edges that may meet a box. An area without such edges covers the whole box. */
interface Reaching {
  area: Area;
  around: Box;
  middle: readonly [x: number, y: number];
  points: Float64Array;
  edges: Int32Array | undefined;
}

const fewEdges = 64;
/** A box is divided only if a quarter has less than this share of its areas. Outlines that lie upon one another are not divided. */
const fewer = 0.75;
const maxVain = 1;
/** In square degrees: products of coordinates are as exact. */
const tolerance = 1e-13;

/** The points of all rings as x, y, x, y ..., and the positions where edges begin. */
function flattened(polygon: Polygon): { points: Float64Array; edges: Int32Array } {
  const points = new Float64Array(2 * vertexCount([polygon]));
  const edges = new Int32Array(points.length / 2 - polygon.length);
  let at = 0;
  let edge = 0;
  for (const ring of polygon) {
    points.set(ring, at);
    for (let i = 0; i + 3 < ring.length; i += 2) edges[edge++] = at + i;
    at += ring.length;
  }
  return { points, edges };
}

/** The areas that reach into a box; only two of them where one likely covers it before and one now. */
function within(box: Box, areas: readonly Reaching[]): Reaching[] {
  const near = areas.filter(({ around }) => boxesMeet(around, box));
  const decisive = [nearest(box, near, ['came', 'stays'])];
  if (near.some(({ area }) => area.side !== 'came')) decisive.push(nearest(box, near, ['went', 'stays']));
  const covering = decisive
    .flatMap((candidate) => (candidate && reachingInto(box, candidate)) ?? [])
    .filter(({ edges }) => !edges);
  return covering.length === decisive.length
    ? covering
    : near.flatMap((candidate) => reachingInto(box, candidate) ?? []);
}

/** The available area whose middle is nearest to that of the box, so the likeliest to cover it. */
function nearest(box: Box, areas: readonly Reaching[], sides: readonly Area['side'][]): Reaching | undefined {
  const [x, y] = middleOf(box);
  let found: Reaching | undefined;
  let least = Infinity;
  for (const candidate of areas) {
    const distance = Math.abs(candidate.middle[0] - x) + Math.abs(candidate.middle[1] - y);
    if (distance >= least || !candidate.area.isAvailable || !sides.includes(candidate.area.side)) continue;
    least = distance;
    found = candidate;
  }
  return found;
}

/** The part of an area in a box; undefined where there is none. */
function reachingInto(box: Box, whole: Reaching): Reaching | undefined {
  const { area, around, points, edges } = whole;
  // An area no larger than the box cannot cover it, so its edges are looked for only after the next division.
  if (!edges || !isLarger(around, box)) return whole;
  const near = edgesNear(box, points, edges);
  if (near.length > 0) return { ...whole, edges: near };
  const [x, y] = middleOf(box);
  return contains(area.polygon, x, y) ? { ...whole, edges: undefined } : undefined;
}

const middleOf = ([xmin, ymin, xmax, ymax]: Box): [x: number, y: number] => [
  (xmin + xmax) / 2,
  (ymin + ymax) / 2,
];
const isLarger = (a: Box, b: Box) => a[2] - a[0] > b[2] - b[0] && a[3] - a[1] > b[3] - b[1];

/** The edges that meet the box, and maybe some that only come close. */
function edgesNear(box: Box, points: Float64Array, edges: Int32Array): Int32Array {
  const [xmin, ymin, xmax, ymax] = box;
  if (found.length < edges.length) found = new Int32Array(edges.length);
  let count = 0;
  for (let e = 0; e < edges.length; e++) {
    const at = edges[e] as number;
    const x1 = points[at] as number;
    const y1 = points[at + 1] as number;
    const x2 = points[at + 2] as number;
    const y2 = points[at + 3] as number;
    if ((x1 < xmin && x2 < xmin) || (x1 > xmax && x2 > xmax)) continue;
    if ((y1 < ymin && y2 < ymin) || (y1 > ymax && y2 > ymax)) continue;
    const dx = x2 - x1;
    const dy = y2 - y1;
    // A line passes a box if all corners are on one side of it.
    const low = dx * (ymin - y1);
    const high = dx * (ymax - y1);
    const left = dy * (xmin - x1);
    const right = dy * (xmax - x1);
    const least = tolerance * (Math.abs(dx) + Math.abs(dy));
    if (Math.min(low, high) - Math.max(left, right) > least) continue;
    if (Math.max(low, high) - Math.min(left, right) < -least) continue;
    found[count++] = at;
  }
  return found.slice(0, count);
}

/** Reused memory for the found edges. */
let found = new Int32Array(1024);

/** By the parity of the edges to the right. */
function contains(polygon: Polygon, x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygon)
    for (let i = 0; i + 3 < ring.length; i += 2) if (passesRightOf(ring, i, x, y)) inside = !inside;
  return inside;
}

function quarters([xmin, ymin, xmax, ymax]: Box): Box[] {
  const [x, y] = [(xmin + xmax) / 2, (ymin + ymax) / 2];
  return [
    [xmin, ymin, x, y],
    [x, ymin, xmax, y],
    [xmin, y, x, ymax],
    [x, y, xmax, ymax],
  ];
}

/** The areas that decide the difference in a box; none where nothing differs. If one covers the whole box, others of its kind do not count. */
function deciding(reaching: readonly Reaching[]): readonly Reaching[] {
  const covering = reaching.filter(({ edges }) => !edges);
  const isCovered = (sides: readonly Area['side'][], onlyAvailable = false) =>
    covering.some(({ area }) => sides.includes(area.side) && (area.isAvailable || !onlyAvailable));
  const has = (sides: readonly Area['side'][], isAvailable?: boolean) =>
    reaching.some(
      ({ area }) =>
        sides.includes(area.side) && (isAvailable === undefined || area.isAvailable === isAvailable),
    );
  const mayGain = has(['came']) && !isCovered(['went', 'stays']);
  const mayLose = has(['went']) && !isCovered(['came', 'stays']);
  const mayDowngrade =
    has(['went'], true) && has(['came', 'stays'], false) && !isCovered(['came', 'stays', 'beside'], true);
  if (!mayGain && !mayLose && !mayDowngrade) return [];
  if (covering.length === 0) return reaching;
  return reaching.filter(({ area, edges }) => {
    const first = covering.find(
      (one) => one.area.side === area.side && one.area.isAvailable === area.isAvailable,
    );
    return first === undefined || (!edges && first.area === area);
  });
}

function differenceOf(geos: Geos, box: Box, reaching: readonly Reaching[]): Difference {
  const ground = geos.read(wkbOf([rectangle(box)]));
  const placed = reaching.map(({ area, edges }) => ({
    ...area,
    geometry: edges ? geos.within(geos.read(wkbOf([area.polygon])), box) : ground,
  }));
  const of = (side: Area['side'], onlyAvailable = false) =>
    placed
      .filter((one) => one.side === side && (one.isAvailable || !onlyAvailable))
      .map(({ geometry }) => geometry)
      .filter((geometry) => !geos.isEmpty(geometry));
  const came = union(geos, of('came'));
  const gained = minus(geos, came, [...of('went'), ...of('stays')]);
  const lost = minus(geos, union(geos, of('went')), [...some(came), ...of('stays')]);
  // Ground that is no longer available, lost or not; none while all areas of the new version are available.
  const less = placed.every(({ side, isAvailable }) => isAvailable || (side !== 'came' && side !== 'stays'))
    ? undefined
    : minus(geos, union(geos, of('went', true)), [...of('came', true), ...of('stays', true)]);

  // Lookups decide: ground that another scope still covers is not lost; ground that is no longer available is.
  const notAvailable = minus(geos, lost, of('went', true));
  const wasAvailable = minus(geos, lost, some(notAvailable));
  const uncovered = union(geos, [
    ...some(minus(geos, wasAvailable, of('beside', true))),
    ...some(minus(geos, notAvailable, of('beside'))),
  ]);
  const polygons = (part: Geometry | undefined) => (part ? geos.polygonsOf(part) : []);
  return {
    gained: polygons(gained),
    lost: polygons(lost),
    stillCovered: polygons(minus(geos, lost, some(uncovered))),
    uncovered: polygons(uncovered),
    downgraded: polygons(minus(geos, less, [...some(lost), ...of('beside', true)])),
  };
}

const some = (ground: Geometry | undefined) => (ground ? [ground] : []);

/** undefined where there is none. */
function union(geos: Geos, areas: readonly Geometry[]): Geometry | undefined {
  return areas.length > 0 ? geos.unionOf(areas) : undefined;
}

/** Ground less areas; undefined where nothing is left. */
function minus(geos: Geos, ground: Geometry | undefined, areas: readonly Geometry[]): Geometry | undefined {
  if (!ground || areas.length === 0) return ground;
  const left = geos.difference(ground, geos.unionOf(areas));
  return geos.isEmpty(left) ? undefined : left;
}
