import { expect, test } from 'vitest';
import { maxTiers } from '../../core/coverage/datasets/load.ts';
import { useDatabase } from '../setup/service.ts';

const { database } = await useDatabase();
const { rows } = await database.query<{ id: number }>(
  `with p as (insert into provider (name) values ('Test') returning id),
     s as (insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
       select id, 'f', 'k', 1, sha256('x'), '{}' from p returning id, provider_id),
     d as (insert into dataset (submission_id, provider_id, technology_id) select id, provider_id, 1 from s returning id)
   insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps)
   select id, 'available', 1, 1, 1, 1 from d returning id`,
);
const tierId = rows[0]?.id as number;

test('a dataset has at most 500 tiers, however they come in', async () => {
  const add = (from: number, to: number) =>
    database.query(
      `insert into tier (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps)
       select dataset_id, 'available', 1, 1 + i, 1, 1 from tier, generate_series($2::integer, $3::integer) as i where id = $1`,
      [tierId, from, to],
    );
  await add(1, maxTiers - 1);
  await expect(add(maxTiers, maxTiers)).rejects.toMatchObject({ code: '23514' });
});
