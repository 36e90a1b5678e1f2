import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { threadFile } from '../../platform/programs.ts';
import { changeKinds } from '../premises/change.ts';
import { isCounted, readStoredTiers } from '../premises/counted.ts';
import { count, difference, type PremisesSet, union, unpacked } from '../premises/premises-set.ts';
import { suburbsOf } from '../premises/suburbs.ts';
import { ComparisonStale } from './compare.ts';
import type { PremisesChange } from './premises-change.ts';
import type { ComparedTiers, FoundChange } from './premises-thread.ts';
import { isGroundCompared, isPremisesCompared, joinPublished, publishedBeside } from './scopes.ts';

/* The comparison in premises: after that of the ground, once all that it compares is counted. */

/** SQL: true where some dataset that is published is not counted with the premises that there are now. */
const othersAreUncounted = sql`exists (select from dataset d where d.state = 'published' and ${isCounted} is not true)`;

/** SQL: true where the premises of a dataset `d`, joined with `published`, are to be compared now: all is counted, and the ground is compared. */
export const isPremisesComparisonDue = sql`(${isGroundCompared} and (select premises_version from address_list) > 0
  and (not ${isPremisesCompared} or (d.premises_change -> 'others' = 'null' and not ${othersAreUncounted}))
  and not exists (
    select from dataset o
    where (o.id = d.id or o.id = published.id or o.id = any (${publishedBeside}))
      and o.premises_version is distinct from (select premises_version from address_list)))`;

/** What is compared, with a version of the premises. */
interface Begun {
  published_id: number | null;
  beside: number[];
  version: number;
}

/** Compares the premises of a ready dataset with those of what is published, if that is due. Until all of it is stored, nothing is. @throws ComparisonStale */
export async function comparePremisesWithPublished(
  database: Database,
  datasetId: number,
  signal?: AbortSignal,
): Promise<void> {
  const begun = await begin(database, datasetId);
  if (!begun) return;
  const { published_id, beside, version } = begun;
  const ids = [datasetId, ...beside, ...(published_id === null ? [] : [published_id])];
  const tiers = await readStoredTiers(database, ids);
  if (!tiers) throw new ComparisonStale();
  const { counts, changed } = await inThread(
    {
      mine: tiers.filter(({ datasetId: of }) => of === datasetId),
      theirs: tiers.filter(({ datasetId: of }) => of === published_id),
      beside: tiers.filter(({ datasetId: of }) => beside.includes(of)),
    },
    signal,
  );
  const others = await servedByOthers(database, datasetId, unpacked(changed.lost.premises), signal);
  const suburbs = await Promise.all(
    changeKinds.map((kind) => suburbsOf(database, unpacked(changed[kind].premises), signal)),
  );
  await database.transaction(async (connection) => {
    const change: PremisesChange = { ...counts, others };
    const { rowCount } = await connection.query(sql`
      update dataset set premises_change = ${JSON.stringify(change)}::jsonb, premises_compared = ${version},
        compared_beside = ${beside}
      where id = ${datasetId} and state = 'ready' and premises_compared = ${-version}`);
    if (rowCount === 0) throw new ComparisonStale();
    await connection.query(sql`delete from premises_change where dataset_id = ${datasetId}`);
    for (const [i, kind] of changeKinds.entries()) {
      const { premises, speeds } = changed[kind];
      await connection.query(sql`
        insert into premises_change (dataset_id, change, premises, speeds, suburbs)
        values (${datasetId}, ${kind}, ${premises}, ${speeds}, ${JSON.stringify(suburbs[i])}::jsonb)`);
    }
  });
}

/** Marks the comparison as being made: whatever is counted anew removes the mark. */
async function begin(database: Database, datasetId: number): Promise<Begun | undefined> {
  const { rows } = await database.query<Begun>(sql`
    update dataset set premises_compared = - due.version, premises_change = null
    from (
      select d.id, published.id as published_id, ${publishedBeside} as beside,
        (select premises_version from address_list) as version
      from dataset d ${joinPublished}
      where d.id = ${datasetId} and d.state = 'ready' and ${isPremisesComparisonDue}
    ) as due
    where dataset.id = due.id
    returning due.published_id, due.beside, due.version`);
  const [begun] = rows;
  return begun && { ...begun, version: Number(begun.version) };
}

/** Records that the change in premises cannot be determined: no retry until something else is published or counted. */
export async function giveUpPremises(database: Database, datasetId: number): Promise<void> {
  await database.query(sql`
    update dataset set premises_change = null, premises_compared = (select premises_version from address_list),
      compared_beside = due.beside
    from (
      select d.id, ${publishedBeside} as beside from dataset d ${joinPublished}
      where d.id = ${datasetId} and d.state = 'ready' and ${isPremisesComparisonDue}
    ) as due
    where dataset.id = due.id`);
}

async function inThread(tiers: ComparedTiers, signal: AbortSignal | undefined): Promise<FoundChange> {
  const thread = new Worker(threadFile('premises'), { execArgv: [], workerData: tiers });
  try {
    const [found] = await once(thread, 'message', signal ? { signal } : {});
    return found as FoundChange;
  } finally {
    await thread.terminate();
  }
}

/** Tiers of others that are read at once: their sets may have 300 kB each. */
const tiersAtOnce = 16;

/** How many of the premises that a dataset loses other providers or technologies serve now; null while some of these are not counted. */
async function servedByOthers(
  db: Queryable,
  datasetId: number,
  lost: PremisesSet,
  signal: AbortSignal | undefined,
): Promise<PremisesChange['others']> {
  const { rows } = await db.query<{ uncounted: boolean; now: Date }>(sql`
    select ${othersAreUncounted} as uncounted, clock_timestamp() as now`);
  const { uncounted, now } = rows[0] as { uncounted: boolean; now: Date };
  if (uncounted) return null;
  let unserved = lost;
  for (let after = 0; count(unserved) > 0; ) {
    signal?.throwIfAborted();
    const { rows: tiers } = await db.query<{ id: number; premises: Uint8Array }>(sql`
      select t.id, p.premises
      from dataset mine
      join dataset d on d.state = 'published'
        and (d.provider_id <> mine.provider_id or d.technology_id <> mine.technology_id)
      join tier t on t.dataset_id = d.id and t.availability = 'available'
      join tier_premises p on p.tier_id = t.id
      where mine.id = ${datasetId} and t.id > ${after}
      order by t.id limit ${tiersAtOnce}`);
    const last = tiers.at(-1);
    if (!last) break;
    unserved = difference(unserved, union(...tiers.map(({ premises }) => unpacked(premises))));
    after = last.id;
  }
  const left = count(unserved);
  return { served: count(lost) - left, unserved: left, as_of: now.toISOString() };
}
