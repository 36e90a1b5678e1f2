import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import type { Work } from '../../client/schema.ts';
import { readTierPremises } from '../../coverage/premises/counted.ts';
import { count } from '../../coverage/premises/premises-set.ts';
import { client, form, manifest } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* What workers do of themselves once addresses were imported. */

const service = await useService();
const staff = await client(service.api.url, service.database);
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');

const header = 'address_id,full_address_number,full_road_name,suburb_locality,town_city,shape_X,shape_Y';
const importList = async (...lngs: number[]) => {
  const rows = lngs.map((lng, i) => `${i + 1},${i + 1},Rata Street,Ponsonby,Auckland,${lng},-36.9`);
  const bytes = Buffer.from(`${[header, ...rows].join('\n')}\n`);
  const body = form({ name: 'list.csv', bytes }, {});
  const response = await staff.call('/api/staff/address-imports', { method: 'POST', body });
  expect(response.status).toBe(202);
};

test('an import of addresses leads to the versions that are to be counted, and staff see that work', async () => {
  const { datasets } = await kauri.handIn(await zippedRectangle(174.7, -36.95, 174.8, -36.85), manifest);
  const dataset = datasets[0]?.id as number;
  const covered = async () =>
    (await readTierPremises(service.database, [dataset]))?.map(({ set }) => count(set));
  expect(await covered()).toBeUndefined();
  await importList(174.75, 174.76, 174.9);
  await expect.poll(covered).toEqual([2]);
  await importList(174.75, 174.76, 174.77, 174.78, 174.9);
  await expect.poll(covered).toEqual([4]);
  const { kinds } = await staff.json<Work>('/api/staff/work');
  expect(kinds.find(({ kind }) => kind === 'count-premises')).toMatchObject({ waiting: 0, failed: 0 });
});
