import { stat } from 'node:fs/promises';
import path from 'node:path';
import { commandActor } from '../../access/actor.ts';
import { listRegionLayers, removeRegionLayer } from '../../coverage/regions/layers.ts';
import { importRegions } from '../../ingest/regions/import-regions.ts';
import { CovermapError, fileNotReadable } from '../../platform/errors.ts';
import type { AdminCommands } from './command.ts';
import { table } from './table.ts';

const acceptable = ['dropped', 'overlap'] as const;

export const regionCommands: AdminCommands = {
  'regions list': {
    help: 'lists the layers of regions by which premises are counted',
    run: async ({ database }) =>
      table(await listRegionLayers(database), {
        layer: 'name',
        regions: ({ report }) => report.regions,
        file: 'file_name',
        imported: 'imported_at',
      }),
  },
  'regions remove <layer>': {
    help: 'removes a layer of regions',
    async run({ database }, [layer = '']) {
      await removeRegionLayer(database, layer, commandActor);
      return `${layer}: removed.`;
    },
  },
  'regions <layer> <file> [--column <attribute>] [--crs <system>] [--accept <what>]': {
    help: 'imports a layer of regions, such as "territorial authorities", in place of the one of that name: polygons in any format of coverage, with an attribute of names; a system as EPSG:2193 for a file without one; accepts "dropped" areas and "overlap", with a comma between them',
    async run(context, [layer = '', file = ''], { column, crs, accept }) {
      const found = await stat(file).catch(() => undefined);
      if (!found?.isFile()) throw fileNotReadable(file);
      const accepted = accept?.split(',') ?? [];
      const unknown = accepted.find((one) => !acceptable.some((known) => known === one));
      if (unknown !== undefined)
        throw new CovermapError('usage', `--accept takes ${acceptable.join(' and ')}, not ${unknown}.`);
      const given = { layer, file, name: path.basename(file), column, crs, accept: accepted };
      const report = await importRegions(context, given, commandActor);
      const { regions, features, outside, clipped, repaired, dropped, overlap_percent: overlap } = report;
      const notes = [
        [outside, 'outside the service area left out'],
        [clipped, 'clipped to the service area'],
        [repaired, 'repaired'],
        [dropped, 'dropped'],
      ] as const;
      const said = notes.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
      return [
        `${layer}: ${regions} regions of ${features} areas, by ${report.column}, in ${report.system}.`,
        ...(said.length > 0 ? [`Areas: ${said.join(', ')}.`] : []),
        ...(overlap > 0
          ? [`${overlap}% of the ground is in several regions: the first by name has it.`]
          : []),
      ].join('\n');
    },
  },
};
