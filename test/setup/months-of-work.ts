import { createReadStream } from 'node:fs';
import { commandActor } from '../../access/actor.ts';
import { allowOverage } from '../../billing/customers.ts';
import { monthsDue } from '../../billing/months.ts';
import { readSamples, samplePath } from '../../commands/samples.ts';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import { attachPrediction } from '../../coverage/submissions/predictions.ts';
import { submitLocalFile } from '../../coverage/submissions/submit.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMonths, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { releaseRunMissed } from '../../registry/release.ts';
import { addQueries, makeCustomer } from './billing.ts';
import { importLines } from './registry.ts';
import { providerNamed } from './service.ts';
import { submitTowers } from './submit-towers.ts';

/* Something of everything for workers: files that are published, replaced, reviewed and modelled; months to close; names to release. */

/** Four months that are over, the first of which is `first`. */
const first = addMonths(monthOf(new Date()), -4);

/** Puts the work into a new database. */
export async function giveWork(config: Config, database: Database) {
  const storage = await openStorage(config);
  const queue = openWorkQueue(config, database);
  const samples = await readSamples();

  const send = async (file: string, changes: object = {}) => {
    const sample = samples.find((one) => one.file === file);
    const manifest = parseManifest({ ...sample?.manifest, ...changes });
    const { id } = await submitLocalFile(database, storage, { path: samplePath(file), name: file }, manifest);
    await queue.send('load', id);
  };
  const sendTowers = async () => {
    const provider = 'Takahe Wireless';
    const towers = Array.from({ length: 40 }, (_, i) => ({ name: `T${i}`, at: [0, -1000 * i] as const }));
    const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
    const id = await submitTowers(database, { config }, provider, towers, { publish: 'auto', speeds });
    await queue.send('read-towers', id);
    return async () => {
      const name = 'wireless-prediction.kmz';
      const model = samples.find((one) => one.file === name);
      const prediction = await storage.store(name, createReadStream(samplePath(name)));
      const { classes } = model?.manifest ?? {};
      const own = { provider, technology: 'wireless', processed_by: 'service', publish: 'auto' };
      const predicted = parseManifest({ ...own, classes });
      await attachPrediction(database, id, { ...prediction, name }, predicted, commandActor);
      await queue.send('load', id);
    };
  };

  await giveMonths(database);
  await giveNames(database);
  const attach = await sendTowers();
  for (const file of ['fibre-north.zip', 'wireless-areas.kml', 'wireless-signal.tif', 'several.fgb'])
    await send(file);
  await send('cable.gpkg', { publish: 'review' });
  let isFirst = true;
  return {
    /** Sends files that need the first ones to be done. @returns whether there were any to send */
    async sendNext() {
      if (!isFirst) return false;
      isFirst = false;
      // They supersede published versions, which are archived then.
      await attach();
      await send('fibre-south.zip', { provider: providerNamed('Kauri Fibre') });
      await send('wireless-prediction.kmz', { provider: providerNamed('Remarkable Wireless') });
      await send('fibre-planned.zip');
      return true;
    },
    /** The work that is not done yet; empty once all is done. */
    async undone() {
      const { rows } = await database.query<{ what: string }>(
        `select file_name || ' ' || state as what from submission s
         where state in ('reading', 'loading', 'checking') or (state = 'received' and (kind = 'coverage' or towers_read_at is null
             or exists (select from prediction where submission_id = s.id)))
           or (state = 'ready' and manifest ->> 'publish' = 'auto' and blocking is null)
         union all select 'dataset ' || id || ' to archive' from dataset d
         where state = 'superseded' and exists (select from coverage join tier t on t.id = tier_id where t.dataset_id = d.id)
         union all select 'dataset ' || id || ' to draw' from dataset where overview_at is null`,
      );
      const jobs = (await queue.figures()).filter(
        ({ waiting, active, delayed }) => waiting + active + delayed > 0,
      );
      return [
        ...rows.map(({ what }) => what),
        ...jobs.map((job) => JSON.stringify(job)),
        ...(await monthsDue(database, new Date(), '00:00:00')),
        ...((await releaseRunMissed(database, new Date(), '00:00:00')) ? ['names to release'] : []),
      ];
    },
    close: () => queue.close(),
  };
}

/** Customers with plans, with overage and with credit, each with queries in every month. */
async function giveMonths(database: Database): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const at = startOfMonth(first);
    const plan = [undefined, 'low', 'low', 'medium', undefined][i];
    const described = { plan, begins: plan && `${first}-01` };
    const { id, keyId: key } = await makeCustomer(database, `Customer ${i}`, described, at);
    await allowOverage(database, id, true, commandActor);
    for (let month = 0; month < 4; month++) {
      const when = new Date(startOfMonth(addMonths(first, month)).getTime() + 86_400_000 * (i + 1));
      await addQueries(database, key, when, 900 + 40_000 * i + 100 * month);
    }
  }
}

async function giveNames(database: Database): Promise<void> {
  const registered = '2015-07-01 12:00:00+12:00';
  await importLines(
    database,
    Array.from(
      { length: 300 },
      (_, i) => `name${i}.nz,${registered},${i % 3 ? '2023-02-01 12:00:00+13:00' : ''}`,
    ),
  );
}
