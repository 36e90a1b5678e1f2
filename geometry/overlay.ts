import type { Geometry, Geos } from './geos.ts';
import type { Box, Polygon } from './polygon.ts';

/*
 * Two versions of coverage laid over one another, cell by cell. Areas overlap one another many times, so most of them say nothing new:
 * unions leave out what is covered already, and differences are taken from what little is left.
 */

/** An area of one version or both, or of another one that counts beside them. */
export interface Area {
  /** EWKB or WKB of a valid polygon in degrees. */
  wkb: Uint8Array;
  /** `stays` is in both versions to the byte. */
  side: 'came' | 'went' | 'stays' | 'beside';
  /** Rather than to come. Lookups answer from what is available, where there is any. */
  isAvailable: boolean;
}

/** Ground within a cell; none where it is empty. */
export interface Difference {
  gained: Polygon[];
  lost: Polygon[];
  /** Of what is lost: what another scope covers as well as before, or at least says is to come. */
  stillCovered: Polygon[];
  /** What lookups no longer answer from: lost, and covered by nothing else. */
  uncovered: Polygon[];
  /** What was available, and is only to come now. */
  downgraded: Polygon[];
}

/** What differs within a box. Areas may reach beyond it. Of those that stay and those beside, only those near what differs are needed. */
export function differenceWithin(geos: Geos, box: Box, areas: readonly Area[]): Difference {
  return geos.freeing(() => {
    const of = (side: Area['side']) =>
      areas
        .filter((area) => area.side === side)
        .map(({ wkb, isAvailable }) => ({ geometry: geos.within(geos.read(wkb), box), isAvailable }))
        .filter(({ geometry }) => !geos.isEmpty(geometry));
    const [came, went, stays, beside] = [of('came'), of('went'), of('stays'), of('beside')];
    const all = (of: readonly Placed[]) => of.map(({ geometry }) => geometry);
    const available = (of: readonly Placed[]) => all(of.filter(({ isAvailable }) => isAvailable));

    const ground = union(geos, all(came));
    const gained = minus(geos, ground, [...all(went), ...all(stays)]);
    const lostFrom = (before: readonly Geometry[], now: Geometry | undefined, staying: readonly Geometry[]) =>
      minus(geos, union(geos, notCovered(geos, before, now)), [...some(now), ...staying]);
    const lost = lostFrom(all(went), ground, all(stays));
    // Of what is not lost, too, as long as all of it were available before and now.
    const less = [...came, ...stays].every(({ isAvailable }) => isAvailable)
      ? undefined
      : lostFrom(available(went), union(geos, available(came)), available(stays));

    // As lookups answer: what another scope still covers is not lost, and what is no longer available is.
    const notAvailable = minus(geos, lost, available(went));
    const wasAvailable = minus(geos, lost, some(notAvailable));
    const uncovered = union(geos, [
      ...some(minus(geos, wasAvailable, available(beside))),
      ...some(minus(geos, notAvailable, all(beside))),
    ]);
    const parts = {
      gained,
      lost,
      stillCovered: minus(geos, lost, some(uncovered)),
      uncovered,
      downgraded: minus(geos, less, [...some(lost), ...available(beside)]),
    };
    return Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, part ? geos.polygonsOf(part) : []]),
    ) as unknown as Difference;
  });
}

interface Placed {
  geometry: Geometry;
  isAvailable: boolean;
}

const some = (ground: Geometry | undefined) => (ground ? [ground] : []);

/** How many are united at first; then twice as many at a time, less what has become needless by then. */
const atFirst = 32;

/** Every so many of them, then the others: neighbours follow one another, and far ones together cover more. */
function spread(areas: readonly Geometry[]): Geometry[] {
  const every = Math.ceil(areas.length / atFirst);
  return Array.from({ length: every }, (_, first) => areas.filter((_, i) => i % every === first)).flat();
}

/** undefined where there is none. */
function union(geos: Geos, areas: readonly Geometry[]): Geometry | undefined {
  let ground: Geometry | undefined;
  let others: readonly Geometry[] = spread(areas);
  for (let count = atFirst; others.length > 0; count *= 2) {
    const next = others.slice(0, count);
    ground = geos.unionOf(ground ? [ground, ...next] : next);
    others = notCovered(geos, others.slice(count), ground);
  }
  return ground;
}

function notCovered(
  geos: Geos,
  areas: readonly Geometry[],
  ground: Geometry | undefined,
): readonly Geometry[] {
  return ground ? geos.prepared(ground, ({ covers }) => areas.filter((area) => !covers(area))) : areas;
}

/** Ground less areas; undefined where nothing is left. */
function minus(geos: Geos, ground: Geometry | undefined, areas: readonly Geometry[]): Geometry | undefined {
  let left = ground;
  let others: readonly Geometry[] = spread(areas);
  for (let count = atFirst; left; count *= 2) {
    others = geos.prepared(left, ({ meets }) => others.filter(meets));
    if (others.length === 0) break;
    const rest = geos.difference(left, geos.unionOf(others.slice(0, count)));
    left = geos.isEmpty(rest) ? undefined : rest;
    others = others.slice(count);
  }
  return left;
}
