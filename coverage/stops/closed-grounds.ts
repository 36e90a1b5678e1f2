import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/database.ts';
import { turnTaker } from '../../platform/event-loop.ts';
import { addBits, cropped, framesMeet, type GroundFrame, hasPixel, leaveSole } from './ground-bits.ts';
import { groundsOf, type NamedGround, servedBits } from './tower-grounds.ts';

/*
 * Where the towers with stops serve and no other tower of the same published coverage does. A place there is closed on a day on which all towers
 * that serve it are: which these are, each of their grounds tells.
 */

/** The ground that only towers with stops serve, as far as one of them does. */
interface SoleGround extends GroundFrame {
  stops: number[];
  bits: Uint32Array;
}

/** By dataset: the stops of each tower with stops that serves a place which no other serves. */
export type ClosedGrounds = ReadonlyMap<number, (lng: number, lat: number) => number[][]>;

/** Towers at a time: each needs three windows of bits, of up to half a megabyte. */
const atOnce = 32;
const maxKept = 200;

/** Works out grounds, and keeps them until other towers have stops, or other coverage is published. */
export function closedGroundsIn(database: Database) {
  const kept = new LRUCache<string, ReturnType<typeof lookUpIn>>({ max: maxKept });
  return async (datasets: readonly number[]): Promise<ClosedGrounds> => {
    const found = new Map<number, ReturnType<typeof lookUpIn>>();
    for (const id of datasets) {
      const grounds = await groundsOf(database, id);
      const key = JSON.stringify([id, grounds.map(({ stops }) => stops)]);
      const known = kept.get(key) ?? lookUpIn(grounds, await soleGrounds(database, id, grounds));
      kept.set(key, known);
      found.set(id, known);
    }
    return found;
  };
}

async function soleGrounds(database: Database, datasetId: number, grounds: readonly NamedGround[]) {
  const closed = grounds.filter(({ stops }) => stops.length > 0);
  const othersTurn = turnTaker();
  const found: SoleGround[] = [];
  for (let from = 0; from < closed.length; from += atOnce) {
    const batch = closed.slice(from, from + atOnce).map((ground) => ({
      ground,
      served: new Uint32Array(ground.words * ground.height),
      open: new Uint32Array(ground.words * ground.height),
      closed: new Uint32Array(ground.words * ground.height),
    }));
    for (const other of grounds) {
      const around = batch.filter(({ ground }) => framesMeet(ground, other));
      if (around.length === 0) continue;
      const bits = await servedBits(database, datasetId, other);
      for (const one of around) {
        if (one.ground === other) one.served.set(bits);
        else addBits(one.ground, other.stops.length > 0 ? one.closed : one.open, other, bits);
        await othersTurn();
      }
    }
    for (const { ground, served, open, closed } of batch) {
      leaveSole(ground, served, open, closed);
      found.push({ ...cropped(ground, served), stops: ground.stops });
      await othersTurn();
    }
  }
  return found;
}

function lookUpIn([first]: readonly NamedGround[], sole: readonly SoleGround[]) {
  return (lng: number, lat: number): number[][] => {
    if (!first) return [];
    // All are windows of one grid.
    const column = Math.floor((lng - first.west) / first.dLng);
    const row = Math.floor((first.north - lat) / first.dLat);
    return sole.filter((ground) => hasPixel(ground, ground.bits, column, row)).map(({ stops }) => stops);
  };
}
