import { createReadStream } from 'node:fs';
import { accrueProcessingFee } from '../billing/processing-fees.ts';
import { findOrCreateProvider } from '../coverage/providers/providers.ts';
import { parseManifest } from '../coverage/submissions/manifest.ts';
import { sql } from '../platform/database/sql.ts';
import { addDays, addMonths, firstDay, instantAt, monthOf } from '../platform/nz-time.ts';
import type { Application } from './application.ts';
import { samplePath } from './samples.ts';

const file = 'towers/nelson.csv';
const provider = { name: 'Demo Networks', url: 'https://demo-networks.example/' };

/** Makes an earlier version of the demo's operator, modelled last month: its fee is on an invoice. Before any month is closed, else never. */
export async function seedFee(
  { database, storage }: Pick<Application, 'database' | 'storage'>,
  now: Date,
): Promise<void> {
  const { rows } = await database.query(
    'select from month_close union all select from customer_plan limit 1',
  );
  if (rows[0]) return;
  const published = instantAt(addDays(firstDay(addMonths(monthOf(now), -1)), 11), '10:00:00');
  const { key, size, sha256 } = await storage.store('nelson.csv', createReadStream(samplePath(file)));
  await database.transaction(async (connection) => {
    const id = await findOrCreateProvider(connection, provider);
    const manifest = parseManifest({ provider, technology: 'wireless', processed_by: 'service' });
    const { rows: made } = await connection.query<{ id: string }>(sql`
      insert into submission (provider_id, state, processed_by, file_name, storage_key, size_bytes, sha256, manifest, received_at, finished_at)
      values (${id}, 'superseded', 'service', 'nelson.csv', ${key}, ${size}, ${sha256}, ${JSON.stringify(manifest)}::jsonb,
        ${published}::timestamptz - interval '2 days', ${published})
      returning id`);
    await accrueProcessingFee(connection, (made[0] as { id: string }).id, published);
  });
}
