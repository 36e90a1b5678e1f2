import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKey, listKeys, revokeKey } from '../../core/access/api-keys.ts';
import { generateSecret } from '../../core/access/secrets.ts';
import { useService } from '../setup/service.ts';

const service = await useService();

async function statusWith(key: string): Promise<number> {
  return (await service.get('/api/2.0/providers', { 'x-api-key': key })).status;
}

test('a key is alphanumeric, begins with a known prefix, and is never the same', () => {
  const keys = new Set(Array.from({ length: 1000 }, () => generateSecret('m')));
  expect(keys.size).toBe(1000);
  for (const key of keys) expect(key).toMatch(/^cvm[0-9A-Za-z]{40}$/);
});

test('only a hash of a key is stored', async () => {
  const key = await createKey(service.database, 'Shop');
  const { rows } = await service.database.query<{ row: string }>('select api_key::text as row from api_key');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain(key.slice(3));
});

test('a customer can have several keys', async () => {
  const keys = [await createKey(service.database, 'Utility'), await createKey(service.database, 'utility')];
  expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200]);
  expect((await listKeys(service.database)).filter((key) => key.customer === 'Utility')).toHaveLength(2);
});

test('a revoked key is refused within seconds, though it was just used', async () => {
  const key = await createKey(service.database, 'Former customer');
  expect(await statusWith(key)).toBe(200);
  const id = (await listKeys(service.database)).find(({ customer }) => customer === 'Former customer')
    ?.id as number;
  await revokeKey(service.database, id);
  const deadline = Date.now() + 15_000;
  while ((await statusWith(key)) !== 403) {
    if (Date.now() > deadline) throw new Error('the key is still good after fifteen seconds');
    await sleep(20);
  }
});

test('a key that was refused is active as soon as it exists', async () => {
  const key = generateSecret('m');
  expect(await statusWith(key)).toBe(403);
  await createKey(service.database, 'New customer', key);
  const deadline = Date.now() + 15_000;
  while ((await statusWith(key)) !== 200) {
    if (Date.now() > deadline) throw new Error('the key is still refused after fifteen seconds');
    await sleep(20);
  }
});

test('revoking a key that does not exist says so', async () => {
  await expect(revokeKey(service.database, 999_999)).rejects.toMatchObject({ code: 'key_unknown' });
});
