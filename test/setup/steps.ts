import type { Database } from '../../platform/database/database.ts';

/*
 * Makes the steps of workers visible, and as slow as on a slow disk: triggers name the step in its transaction and wait a moment, so that
 * a test can see when to kill, and which step it has killed.
 */

/** Steps by the rows that they write, each with its delay in seconds. */
const writes: [step: string, seconds: number, on: string][] = [
  ['towers read', 0.05, 'insert on tower for each statement'],
  ['rows loaded', 0.03, 'insert on coverage for each statement'],
  ['map drawn', 0.03, 'insert on coverage_overview for each statement'],
  ['readied', 0.05, `update of state on dataset for each row when (new.state = 'ready')`],
  ['compared', 0.05, 'update of compared_at on dataset for each row'],
  ['published', 0.08, `update of state on dataset for each row when (new.state = 'published')`],
  ['fee posted', 0.08, 'insert on processing_fee for each row'],
  ['catalog changed', 0.08, 'update on catalog for each statement'],
  ['archived', 0.15, 'insert on coverage_archive for each statement'],
  ['month closed', 0.08, 'insert on month_close for each row'],
  ['invoice made', 0.08, 'insert on invoice for each row'],
  ['names released', 0.15, 'insert on released_domain for each statement'],
];

/** All steps that {@link stepsNow} can see. */
export const steps = writes.map(([step]) => step);

const mark = 'step: ';

export async function markSteps(database: Database): Promise<void> {
  await database.query(`
    create function mark_step() returns trigger language plpgsql as $$
    begin
      -- Until the transaction ends.
      perform set_config('application_name', '${mark}' || tg_argv[0], true);
      perform pg_sleep(tg_argv[1]::float8);
      return null;
    end $$`);
  for (const [i, [step, seconds, on]] of writes.entries()) {
    await database.query(
      `create trigger zz_step_${i} after ${on} execute function mark_step('${step}', '${seconds}')`,
    );
  }
}

export async function stepsNow(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and xact_start is not null and starts_with(application_name, '${mark}')`,
  );
  return rows.map(({ name }) => name.slice(mark.length));
}
