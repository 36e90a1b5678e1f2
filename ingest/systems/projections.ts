import { readFile } from 'node:fs/promises';
import { gdal } from '@covermap/coverage-files/gdal/webassembly.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';

/* Transformations between reference systems by PROJ, which is part of GDAL. */

/** Land Information New Zealand's NTv2 shift from NZGD49 to NZGD2000: accurate to a decimetre, where seven parameters are up to 4 m off. */
const grid = 'nzgd2kgrid0005.gsb';

/** Transforms positions, x and y in turn, in place. Failed ones become not finite. */
export type Transform = (positions: Float64Array) => void;

export type Projections = Awaited<ReturnType<typeof start>>;

let starting: Promise<Projections> | undefined;

/** The one PROJ of this thread. It starts in half a second. */
export function projections(): Promise<Projections> {
  starting ??= start();
  return starting;
}

async function start() {
  // Starting counts as progress: it takes seconds on a busy machine.
  pulse();
  const [module, shifts] = await Promise.all([gdal(), readFile(new URL(`./${grid}`, import.meta.url))]);
  module.addGrid(grid, shifts);
  pulse();
  return {
    /** A system as well-known text; undefined if PROJ does not know it. */
    wktOf: (definition: string) => module.wktOf(definition),
    /** Undefined where PROJ cannot use a definition. */
    between(from: string, to: string): Transform | undefined {
      const transform = module.transformation(from, to);
      return transform && bounded(transform);
    },
  };
}

/** Beyond anything on earth, in any unit. PROJ may compute forever there. */
const maxCoordinate = 1e12;

function bounded(transform: Transform): Transform {
  return (positions) => {
    for (let i = 0; i < positions.length; i++)
      if (!(Math.abs(positions[i] as number) <= maxCoordinate)) positions[i] = Number.POSITIVE_INFINITY;
    transform(positions);
  };
}
