import type { Grid } from './grid-file.ts';
import { type GroundWindow, windowAround } from './pixels.ts';
import type { Tower } from './tower.ts';

/* Which places serve where, whether or not others are received there, too. */

/** The ground of all towers at one place. */
export interface Ground {
  /** Indexes in the list. */
  towers: number[];
  lat: number;
  lng: number;
  /** Its first column and row in the grid. */
  left: number;
  top: number;
  /** Words of 32 pixels in a row. */
  words: number;
  height: number;
  /** A bit a pixel, row by row; the lowest of a word is the westernmost. Valid until the next ground. */
  served: Uint32Array;
}

export interface GroundsAsked {
  /** The weakest power that serves, in dBm. */
  weakest: number;
  /** Called with the ground of each place, once it is known. */
  done(ground: Ground, grid: Grid): Promise<void>;
}

/** Gathers grounds while sites are drawn, which come ordered by place. @param losses see {@link GroundWindow} */
export function gatherGrounds(
  grid: Grid,
  range: number,
  { weakest, done }: GroundsAsked,
  losses: number | undefined,
) {
  let here: Ground | undefined;
  let memory: Uint32Array = new Uint32Array();
  const finish = async () => {
    if (here) await done({ ...here, towers: here.towers.sort((a, b) => a - b) }, grid);
    here = undefined;
  };
  return {
    /** The window of the next site. */
    async begin({ lat, lng }: Tower, site: readonly number[]): Promise<GroundWindow> {
      if (here?.lat !== lat || here.lng !== lng) {
        await finish();
        const { left, right, top, bottom } = windowAround(grid, lat, lng, range);
        const first = left - (left % 32);
        const words = Math.max(1, Math.ceil((right - first) / 32));
        const height = Math.max(1, bottom - top);
        if (memory.length < words * height)
          memory = new Uint32Array(new SharedArrayBuffer(4 * words * height));
        const served = memory.subarray(0, words * height).fill(0);
        here = { towers: [], lat, lng, left: first, top, words, height, served };
      }
      here.towers.push(...site);
      return { left: here.left, words: here.words, weakest, losses, served: here.served };
    },
    finish,
  };
}
