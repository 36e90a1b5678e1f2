import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Figure, type Spent, spentFigures, spentRatios } from './figures.ts';
import { generateCoverage } from './generate.ts';
import { generateAddresses, listRows } from './generate-addresses.ts';
import { generatedManifest, importAddressesOnce, ingestOnce, type Part, premisesOnce } from './measure.ts';

/** Loads of a file with the addresses of a whole country and without, in turns; then a recount, and the comparison of two versions. */
export const premisesPart: Part = {
  names: ['load_with_addresses', 'premises_recount', 'premises_compared'],
  async run({ folder, quick, newServerDatabase }) {
    const coverage = { features: quick ? 1_000 : 300_000, vertices: 97, depth: quick ? 0.01 : 12 };
    const list = path.join(folder, 'list.csv');
    await generateAddresses(list, quick ? 20_000 : listRows);
    const place = path.join(folder, 'covered');
    const { zip } = await generateCoverage(place, { ...coverage, projected: true });
    const without = await newServerDatabase('bench_without_addresses');
    const withThem = await newServerDatabase('bench_with_addresses');
    importAddressesOnce(withThem, [list]);
    const [ours, peer]: [Spent[], Spent[]] = [[], []];
    for (let run = 0; run < (quick ? 1 : 2); run++) {
      // Each is another provider's, so that nothing is compared.
      const provider = { name: `Bench ${run}`, url: 'https://bench.example/' };
      const given = { file: zip, ...generatedManifest, provider, publish: 'review' };
      peer.push(ingestOnce(without, given)[0]);
      ours.push(ingestOnce(withThem, given)[0]);
    }
    const { recount, compared } = premisesOnce(withThem);
    rmSync(place, { recursive: true });
    rmSync(list);
    const of = `from file to ${coverage.features.toLocaleString('en-NZ')} areas that are ready, with the addresses of a country, without`;
    return {
      ...spentRatios('load_with_addresses', { ours, peer }, of, { wall: '<= 1.1', processor: '<= 1.1' }),
      ...spentFigures('premises_recount', [recount], { wall: '<= 30', processor: null }),
      ...spentFigures('premises_compared', [compared], { wall: '<= 0.2', processor: null }),
    } satisfies Record<string, Figure>;
  },
};
