import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beginModelling } from '../../core/coverage/submissions/modelling.ts';
import type { ModellingReport } from '../../core/coverage/submissions/modelling-report.ts';
import { createLogger } from '../../core/logger.ts';
import { openQueue } from '../../core/queue.ts';
import { openStorage } from '../../core/storage/open.ts';
import { Attempts } from '../../core/work.ts';
import { openCancelledWork } from '../../workers/cancelled-work.ts';
import { predictCoverage } from '../../workers/predict.ts';
import { jobsOf } from '../../workers/step.ts';
import { useDatabase } from '../setup/service.ts';
import { submitTowers } from '../setup/submit-towers.ts';
import { type TestTower, writeTerrain } from '../setup/terrain.ts';

/* Long modelling lets others have their turn, and goes on from the sites that are done. */

test('who waits is not behind a long list of towers', async () => {
  const { place, database } = await useDatabase();
  const terrainDir = path.join(place.config.dataDir, 'terrain');
  writeTerrain(terrainDir);
  const config = { ...place.config, terrainDir };
  const storage = await openStorage(config);
  const queue = openQueue(config, database);
  const cancelled = await openCancelledWork(database);
  const logger = createLogger('silent');
  onTestFinished(async () => {
    await cancelled.close();
    await queue.close();
  });
  const sites: TestTower[] = [
    { name: 'North', at: [0, 1000] },
    { name: 'South', at: [0, -1000] },
  ];
  const submitted = async (provider: string, count: number) => {
    const prediction = { range_km: 2, resolution_m: 100 };
    const id = await submitTowers(database, { config }, provider, sites.slice(0, count), { prediction });
    await database.query('update submission set towers_read_at = now() where id = $1', [id]);
    await beginModelling(database, id, prediction);
    return id;
  };
  const [first, second] = [await submitted('First', 2), await submitted('Second', 1)];
  const work = jobsOf(
    {
      ...{ database, queue, logger, cancelled, attempts: new Attempts(database) },
      stopping: new AbortController().signal,
    },
    predictCoverage({ config, database, queue, storage, logger }, 0),
  );
  const turn = async (id: string) => ((await work({ id })).again ? 'delayed' : 'done');
  const stateOf = async (id: string) => {
    const { rows } = await database.query<{ state: string; report: ModellingReport | null }>(
      'select state, report from modelling where submission_id = $1',
      [id],
    );
    return [rows[0]?.state, rows[0]?.report?.sites_reused];
  };
  expect(await turn(first)).toBe('delayed');
  for (const id of [first, second]) expect(await stateOf(id)).toEqual(['waiting', undefined]);
  // Once no other modelling waits, it runs to its end.
  await database.query(`update modelling set state = 'cancelled' where submission_id = $1`, [second]);
  expect(await turn(first)).toBe('done');
  expect(await stateOf(first)).toEqual(['done', 1]);
});
