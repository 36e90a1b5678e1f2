import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { settlePremises } from '../../addresses/premises.ts';
import { readySubmission } from '../../coverage/datasets/load.ts';
import { readTierPremises } from '../../coverage/premises/counted.ts';
import { numbersOf } from '../../coverage/premises/premises-set.ts';
import { countPremises } from '../../coverage/premises/recount.ts';
import { sql } from '../../platform/database/sql.ts';
import { keptScratch } from '../../platform/scratch.ts';
import { listAddresses, titirangi } from '../setup/addresses.ts';
import { loadAlone } from '../setup/load-alone.ts';
import { coveredBySql } from '../setup/premises.ts';
import { useDatabase } from '../setup/service.ts';

const { place, database } = await useDatabase();

test('thin', async () => {
  await listAddresses(database, [
    { ...titirangi, id: '1', label: '1' },
    { ...titirangi, id: '2', label: '2', lng: 174.526 },
    { ...titirangi, id: '3', label: '3', lng: 174.527 },
  ]);
  await database.transaction((connection) => settlePremises(connection));
  const { name, bytes } = await zippedRectangle(174.52, -36.98, 174.526, -36.97);
  const file = path.join(scratchFolder(), name);
  writeFileSync(file, bytes);
  const { id, report, areas, premises } = await loadAlone(place, database, file, {});
  await readySubmission(database, id, areas, report, premises);
  const [dataset] = [...areas.keys()] as [number];
  expect(report).toMatchObject({ premises: 2, tiers: [{ premises: 2 }] });
  const oracle = await coveredBySql(database, dataset);
  const read = async () =>
    new Map(
      (await readTierPremises(database, [dataset]))?.map(({ tierId, set }) => [tierId, [...numbersOf(set)]]),
    );
  expect(await read()).toEqual(oracle);
  await database.query(sql`update dataset set premises_version = null; `);
  await countPremises(database, keptScratch(place.config), dataset);
  expect(await read()).toEqual(oracle);
});
