import { openClutter } from '@covermap/propagation/clutter.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { readerLimits, readResult } from '../../ingest/reader.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { AdminCommands } from './command.ts';
import { table } from './table.ts';

/** The max models, finest first, whose void share is measured. */
const measured = 100;
const maxListed = 500;
const deadlineMs = 300_000;

export const terrainCommands: AdminCommands = {
  terrain: {
    help: 'shows the elevation models of TERRAIN_DIR, the finest first: where they lie, which part of each is void, and what cannot be used; and the land cover of CLUTTER_DIR',
    async run({ config }) {
      if (config.terrainDir === undefined) throw new CovermapError('terrain_not_set');
      const limits = { ...readerLimits(config), deadlineMs };
      const work = { kind: 'terrain' as const, file: config.terrainDir, measured };
      const { models, unusable } = await readResult(work, limits);
      const rows = models.slice(0, maxListed);
      const degrees = (value: number) => value.toFixed(3);
      const lines = table(rows, {
        model: 'name',
        metres: ({ resolution }) => resolution.toFixed(1),
        south: ({ south }) => degrees(south),
        west: ({ west }) => degrees(west),
        north: ({ north }) => degrees(north),
        east: ({ east }) => degrees(east),
        void: ({ void: share }) => (share === undefined ? 'not measured' : `${(100 * share).toFixed(0)}%`),
      });
      const left = unusable
        .slice(0, maxListed)
        .map(({ name, reason }) => `${name} is left out: ${reason.replace(/\.$/, '')}.`);
      return [
        lines,
        ...moreThan(rows.length, models.length),
        ...left,
        ...moreThan(left.length, unusable.length),
        ...(config.clutterDir === undefined ? [] : ['', await landCover(config.clutterDir)]),
      ].join('\n');
    },
  },
};

async function landCover(folder: string): Promise<string> {
  const { rasters, classes } = await openClutter(rasterFolder(folder));
  const lines = table(classes, { class: 'code', name: 'name', 'height, m': 'height', 'loss, dB': 'loss' });
  return `Land cover: ${rasters.length === 1 ? 'one file' : `${rasters.length} files`}\n${lines}`;
}

const moreThan = (shown: number, all: number) => (all > shown ? [`and ${all - shown} more`] : []);
