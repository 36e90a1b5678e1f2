import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { queriesOf } from '../setup/billing.ts';
import { client, manifest as reviewed, type ShownSubmission } from '../setup/operator.ts';
import { postgresOwner } from '../setup/private-servers.ts';
import { endCommandProcesses, startCommand } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { makePlace } from '../setup/service.ts';
import { mountSmallDisk, noSmallDisk } from '../setup/small-disk.ts';

/* The disk of PostgreSQL's tables has no space left, and then has some again. */

const manifest = { ...reviewed, publish: 'auto' };

afterAll(endCommandProcesses);

/** A row of so many rectangles: of a few kB in a file, and ten times as much in the database. */
function coverage(south: number, count: number) {
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y] = [170 + (i % 100) / 50, south + Math.floor(i / 100) / 500];
    return { rings: [rectangle(x, y, x + 0.01, y + 0.001)] };
  });
  return zippedShapefile({ features });
}

test.skipIf(noSmallDisk)(
  'lookups go on and count, uploads wait or are refused with 507, and all goes on by itself',
  async () => {
    const backend = inject('backend');
    if (backend.kind !== 'server') return;
    const disk = await mountSmallDisk(96);
    const space = path.join(disk.folder, 'tables');
    mkdirSync(space);
    const { uid, gid } = postgresOwner();
    if (uid !== undefined && gid !== undefined) chownSync(space, uid, gid);
    const admin = new pg.Client(backend.postgresUrl);
    await admin.connect();
    const place = await makePlace();
    const name = new URL(place.env.DATABASE_URL as string).pathname.slice(1);
    try {
      await admin.query(`create tablespace small location '${space}'`);
      await admin.query(`alter database "${name}" set tablespace small`);
      const database = await place.open();
      const service = await startCommand('start', { ...place.env, LOG_LEVEL: 'info', SWEEP_SECONDS: '1' });
      const { url } = service;
      const kauri = await client(url, database, 'Kauri Fibre');
      const key = await createKey(database, 'Customer');
      expect((await kauri.handIn(await coverage(-37, 1), manifest)).status).toBe('published');
      let asked = 0;
      const lookUp = async () => {
        const headers = { 'x-api-key': key };
        const answer = await fetch(`${url}/api/2.0/availability/-36.9995/170.005`, { headers });
        expect([answer.status, (await answer.text()).includes('Kauri Fibre')]).toEqual([200, true]);
        asked++;
      };
      await lookUp();

      disk.fill();
      const from = service.output().length;
      const accepted: string[] = [];
      for (let round = 0; round < rounds(4, 60); round++) {
        await lookUp();
        const answer = await kauri.send(await coverage(-40 + round / 20, 3000), manifest);
        const body = (await answer.json()) as ShownSubmission & { code: string; hint: string };
        if (answer.status === 202) accepted.push(body.id);
        else expect([answer.status, body.code, body.hint]).toEqual([507, 'storage_full', expect.any(String)]);
      }
      // One at least was accepted, and meets the full disk while it is loaded.
      const waits = /"msg":"(work waits for the storage|a job failed, it will be retried)"/;
      if (accepted.length > 0) await service.printed(waits);
      for (const one of accepted) expect((await kauri.submission(one)).finished).toBe(false);
      const lines = service.output().slice(from).split('\n').length;
      expect(lines, service.output().slice(from, from + 5000)).toBeLessThan(40 + 12 * rounds(4, 60));

      disk.free();
      for (const one of accepted)
        expect((await kauri.until(one, ({ finished }) => finished)).status).toMatch(
          /^(published|superseded)$/,
        );
      const again = await kauri.handIn(await coverage(-45, 3000), manifest);
      expect(again.status).toBe('published');
      // One version is published, with each of its rectangles once, and a file is kept of each submission.
      const { rows } = await database.query(
        `select count(*) as rows, count(distinct c.geom) as shapes from coverage c join tier t on t.id = c.tier_id
       join dataset d on d.id = t.dataset_id where d.state = 'published'`,
      );
      expect(rows).toEqual([{ rows: 3000, shapes: 3000 }]);
      const uploads = readdirSync(place.config.uploadDir).filter((one) =>
        statSync(path.join(place.config.uploadDir, one)).isFile(),
      );
      expect(uploads).toHaveLength(accepted.length + 2);
      await expect.poll(() => queriesOf(database, 'Customer'), { timeout: 100_000 }).toBe(asked);
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      await database.close();
    } finally {
      endCommandProcesses();
      await place.remove();
      await admin.query('drop tablespace if exists small').catch(() => undefined);
      await admin.end();
      await disk.remove();
    }
  },
);
