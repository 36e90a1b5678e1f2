import { readFile } from 'node:fs/promises';
import { gdal } from './read/gdal/webassembly.ts';
import { pulse } from './read/pulse.ts';

/* PROJ, which is in GDAL: how positions get from one reference system to another. */

/** Land Information New Zealand's shift from NZGD49 to NZGD2000, in NTv2: a decimetre, where seven parameters are up to 4 m off. */
const grid = 'nzgd2kgrid0005.gsb';

/** Brings positions, x and y in turn, from one system to another, in place. What it cannot place is not finite afterwards. */
export type Transform = (positions: Float64Array) => void;

export interface Projections {
  /** A system as well-known text; undefined where PROJ does not know it. */
  wktOf(definition: string): string | undefined;
  /** undefined where PROJ cannot use a definition. */
  between(from: string, to: string): Transform | undefined;
}

let starting: Promise<Projections> | undefined;

/** The one PROJ of this thread. It starts in half a second. */
export function projections(): Promise<Projections> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Projections> {
  // Starting is progress, too: it takes seconds on a busy machine.
  pulse();
  const [module, shifts] = await Promise.all([
    gdal(),
    readFile(new URL(`./read/gdal/${grid}`, import.meta.url)),
  ]);
  module.addGrid(grid, shifts);
  pulse();
  return {
    wktOf: (definition) => module.wktOf(definition),
    between(from, to) {
      const transform = module.transformation(from, to);
      return transform && bounded(transform);
    },
  };
}

/** In any unit, nothing on earth is as far from an origin. PROJ may count on without end there. */
const maxCoordinate = 1e12;

function bounded(transform: Transform): Transform {
  return (positions) => {
    for (let i = 0; i < positions.length; i++)
      if (!(Math.abs(positions[i] as number) <= maxCoordinate)) positions[i] = Number.POSITIVE_INFINITY;
    transform(positions);
  };
}
