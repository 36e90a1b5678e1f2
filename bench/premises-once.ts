import { rmSync } from 'node:fs';
import { openApplication } from '../commands/application.ts';
import { comparePremises } from '../coverage/premises/change.ts';
import { isCounted, readTierPremises, type TierPremises } from '../coverage/premises/counted.ts';
import { countPremises } from '../coverage/premises/recount.ts';
import { sql } from '../platform/database/sql.ts';
import { keptScratch } from '../platform/scratch.ts';
import { type PremisesMeasured, spent } from './measure.ts';

// Counts the premises of the newest dataset from nothing, then reads and compares those of the two newest. Prints `PremisesMeasured` as JSON.
const { config, database, close } = await openApplication();
const { rows } = await database.query<{ id: number }>('select id from dataset order by id desc limit 2');
const ids = rows.map(({ id }) => id);
const folder = keptScratch(config);
rmSync(folder, { recursive: true, force: true });
await database.query(sql`update dataset set premises_version = null where id = ${ids[0]}`);
const recount = await spent(() => countPremises(database, folder, ids[0] as number), process.ppid);
const isDone = await database.query(sql`select from dataset d where d.id = ${ids[0]} and ${isCounted}`);
if (isDone.rowCount === 0) throw new Error('the premises were not counted');
let covered = 0;
const compared = await spent(async () => {
  const tiers = (await readTierPremises(database, ids)) as TierPremises[];
  const [mine, theirs] = ids.map((id) => tiers.filter(({ datasetId }) => datasetId === id));
  covered = comparePremises(theirs ?? [], mine ?? []).after.length;
}, process.ppid);
if (covered === 0) throw new Error('no premises are covered');
await close();
console.log(JSON.stringify({ recount, compared } satisfies PremisesMeasured));
