import { serviceActor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Connection, Database, Queryable } from '../../platform/database/database.ts';
import { raw, type Sql, sql } from '../../platform/database/sql.ts';
import { today } from '../../platform/nz-time.ts';
import { meets } from '../boxes.ts';
import { holdProvider } from '../providers/providers.ts';
import { isUnfinished } from '../submission-states.ts';

/*
 * Coverage that was made before its exclusions changed is made again, of the same file. Who changes exclusions, readies or publishes coverage holds the
 * provider's row, so that no version gets by without an exclusion.
 */

/** SQL: true where an exclusion `e` is in force now: until the end of its last day in New Zealand. */
export const isInForce = (): Sql =>
  sql`(e.removed_at is null and (e.until is null or e.until >= ${today()}::date))`;

/** SQL: true where an exclusion `e` is about the coverage of a dataset `d`. */
const concerns = sql`(e.provider_id = d.provider_id and (e.technology_id is null or e.technology_id = d.technology_id))`;

const madeWith = sql`(select made.taken_m2 from dataset_exclusion made where made.dataset_id = d.id and made.exclusion_id = e.id)`;

const meetsIn = (table: Sql) =>
  sql`exists (select from ${table} c join tier on tier.id = c.tier_id where tier.dataset_id = d.id and ${meets(sql`c.geom`, sql`e.geom`)})`;

/** SQL: true where a dataset `d` has ground of an exclusion `e` and was made without it. */
const lacks = sql`(${concerns} and ${madeWith} is null and (${meetsIn(raw('coverage'))} or ${meetsIn(raw('coverage_archive'))}))`;

/** SQL: true where a dataset `d` is to be made again for an exclusion `e`. */
export const isOutdated = (): Sql =>
  sql`case when ${isInForce()} then ${lacks} else coalesce(${madeWith}, 0) > 0 end`;

/** The exclusions in force that loaded datasets were made without. The provider's row is locked. */
export async function lackingExclusions(db: Queryable, datasetIds: readonly number[]) {
  const { rows } = await db.query<{ id: number; reason: string }>(sql`
    select e.id, e.reason from exclusion e
    where ${isInForce()} and exists (select from dataset d where d.id = any (${datasetIds}) and ${lacks})
    order by e.id`);
  return rows;
}

/** What a dataset was made with: exclusions, and what each took. */
export interface MadeWith {
  /** Those that the file was read with. */
  exclusions: readonly number[];
  taken: readonly { dataset: number; exclusion: number; m2: number }[];
}

/** Exclusions have changed while a file was loaded. */
export class ExclusionsChanged extends Error {}

/** Records the exclusions that loaded datasets were made with. The provider's row is locked. @throws ExclusionsChanged */
export async function keepExclusions(
  connection: Connection,
  datasetIds: readonly number[],
  { exclusions, taken }: MadeWith,
): Promise<void> {
  await connection.query(sql`
    insert into dataset_exclusion (dataset_id, exclusion_id, taken_m2)
    select d.id, e.id, coalesce((
      select sum(m2) from unnest(${taken.map(({ dataset }) => dataset)}::integer[], ${taken.map(({ exclusion }) => exclusion)}::integer[],
        ${taken.map(({ m2 }) => m2)}::float8[]) as took (dataset, exclusion, m2)
      where took.dataset = d.id and took.exclusion = e.id), 0)
    from dataset d join exclusion e on ${concerns}
    where d.id = any (${datasetIds}) and e.id = any (${exclusions})`);
  if ((await outdated(connection, sql`d.id = any (${datasetIds})`)).length > 0) throw new ExclusionsChanged();
}

interface Outdated {
  submission_id: string;
  state: 'loading' | 'ready' | 'published';
}

async function outdated(connection: Queryable, which: Sql): Promise<Outdated[]> {
  const { rows } = await connection.query<Outdated>(sql`
    select distinct d.submission_id, d.state from dataset d
    where d.state in ('loading', 'ready', 'published') and ${which} and exists (
      select from exclusion e where e.provider_id = d.provider_id and ${isOutdated()})
    order by d.submission_id`);
  return rows;
}

/**
 * Has everything of a provider made again that its exclusions have changed for: what waits for publication, by loading it once more; what is published,
 * by a submission of the same file. Its row is locked. What is being loaded is checked at its end.
 * @param because why, for people @param afterFailure false leaves out what could not be made again within the last day
 */
export async function remakeOutdated(
  connection: Connection,
  providerId: number,
  because: string,
  afterFailure = true,
): Promise<void> {
  const found = await outdated(connection, sql`d.provider_id = ${providerId} and d.state <> 'loading'`);
  const ofState = (state: Outdated['state']) => found.filter((one) => one.state === state);
  const details = { because };
  for (const { submission_id: submissionId } of ofState('ready')) {
    const { rowCount } = await connection.query(sql`
      update submission set state = 'received', progress = null, report = null, blocking = null, finished_at = null
      where id = ${submissionId} and state = 'ready'`);
    if (rowCount === 0) continue;
    // Loading begins with their removal.
    await connection.query(sql`
      update dataset set state = 'withdrawn' where submission_id = ${submissionId} and state = 'ready'`);
    await record(connection, serviceActor, {
      action: 'submission_remade',
      providerId,
      submissionId,
      details,
    });
  }
  for (const { submission_id: submissionId } of ofState('published')) {
    const id = await remake(connection, submissionId, because, afterFailure);
    const event = {
      action: 'submission_remade',
      providerId,
      submissionId,
      details: { ...details, by: id },
    } as const;
    if (id !== undefined) await record(connection, serviceActor, event);
  }
}

/** Submits the file of a published submission once more, unless that waits already. @returns the new submission's id */
async function remake(connection: Connection, submissionId: string, because: string, afterFailure: boolean) {
  const note = `Made again: ${because}`.slice(0, 500);
  // Coverage of towers is the file that was modelled of them. It has the scope of the towers.
  const { rows } = await connection.query<{ id: string }>(sql`
    insert into submission (provider_id, token_id, kind, processed_by, file_name, storage_key, size_bytes, sha256, manifest, note, remakes)
    select s.provider_id, s.token_id, 'coverage', s.processed_by, coalesce(p.file_name, s.file_name), coalesce(p.storage_key, s.storage_key),
      coalesce(p.size_bytes, s.size_bytes), coalesce(p.sha256, s.sha256),
      coalesce(p.manifest, s.manifest) || jsonb_strip_nulls(jsonb_build_object('scope', s.manifest -> 'scope', 'publish', 'auto')), ${note}, s.id
    from submission s left join prediction p on p.submission_id = s.id
    where s.id = ${submissionId} and not exists (
      select from submission again where again.remakes = s.id and (again.${isUnfinished} or again.state = 'ready'
        or (not ${afterFailure} and again.state in ('failed', 'withdrawn') and again.received_at > clock_timestamp() - interval '1 day')))
    returning id`);
  return rows[0]?.id;
}

/** The providers with coverage to be made again: exclusions have ended since it was made, or it could not be made again before. */
export async function providersToRemake(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(sql`
    select distinct e.provider_id as id from exclusion e join dataset d on ${concerns}
    where d.state in ('ready', 'published') and ${isOutdated()}
    order by e.provider_id`);
  return rows.map(({ id }) => id);
}

/** Has made again what is still to be, unless that is under way, or has failed within the last day. */
export async function remakeOverdue(database: Database, providerId: number): Promise<void> {
  await database.transaction(async (connection) => {
    await holdProvider(connection, providerId);
    await remakeOutdated(connection, providerId, 'exclusions have ended, or were not applied yet', false);
  });
}

/** SQL: the km2 that a dataset `d` loses against `published` by exclusions, if it is made again for them; null for all others. */
export const excludedKm2 = sql`(
  select case when made_again.remakes is not null then coalesce((
      select sum(least(made.taken_m2 / 1e6, e.km2)) from dataset_exclusion made join exclusion e on e.id = made.exclusion_id
      where made.dataset_id = d.id and not exists (
        select from dataset_exclusion theirs where theirs.dataset_id = published.id and theirs.exclusion_id = e.id)), 0) end
  from submission made_again where made_again.id = d.submission_id)::float8`;

/** SQL: the warnings of a submission `s` that count for its publication: of one that is made again, those that the one before did not have. */
export const ownWarnings = sql`coalesce((
    select jsonb_agg(warning) from jsonb_array_elements(s.report -> 'warnings') as warning
    where not exists (
      select from submission before cross join jsonb_array_elements(before.report -> 'warnings') as theirs
      where before.id = s.remakes and theirs ->> 'code' = warning ->> 'code')), '[]'::jsonb)`;
