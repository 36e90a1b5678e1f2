import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Figure, spentFigures } from './figures.ts';
import { generateAddresses, listRows } from './generate-addresses.ts';
import { importAddressesOnce, type Part, statisticsOnce } from './measure.ts';

/** Premises of a whole country by authority, town, suburb and a layer of regions, with made-up coverage: counted from nothing for two days, and asked for again. */
export const statisticsPart: Part = {
  names: ['statistics_cold', 'statistics_kept'],
  async run({ folder, quick, newServerDatabase }) {
    const list = path.join(folder, 'list.csv');
    await generateAddresses(list, quick ? 20_000 : listRows);
    const env = await newServerDatabase('bench_statistics');
    importAddressesOnce(env, [list]);
    rmSync(list);
    const { cold, kept } = statisticsOnce(env);
    return {
      ...spentFigures('statistics_cold', [cold], { wall: '<= 10', processor: null }),
      ...spentFigures('statistics_kept', [kept], { wall: null, processor: null }),
    } satisfies Record<string, Figure>;
  },
};
