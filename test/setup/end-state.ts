import type { Database } from '../../platform/database/database.ts';

/*
 * The results of all work on files, months and names, without numbers and times that differ from run to run, and rules that they keep at
 * any moment.
 */

/** Rows of a geometry or of a drawing, whatever their order. */
const digest = (row: string, from: string) =>
  `(select count(*) || ' ' || coalesce(md5(string_agg(${row}, ',' order by ${row})), '') from ${from})`;
const tier =
  't.availability || t.bandwidth_min_mbps || t.bandwidth_max_mbps || t.bandwidth_up_min_mbps || t.bandwidth_up_max_mbps';
const shapesIn = (table: string) =>
  digest(
    `${tier} || st_ashexewkb(c.geom)`,
    `${table} c join tier t on t.id = c.tier_id where t.dataset_id = d.id`,
  );
const account = `coalesce((select name from customer where id = customer_id), (select name from provider where id = provider_id))`;

const queries = {
  submissions: `
    select p.name, s.file_name, s.kind, s.processed_by, s.state, s.progress, s.error, s.blocking, s.towers_read_at is not null as read,
      -- How long it took is in these two.
      s.report - 'seconds' - 'text' as report,
      ${digest(`w.number || st_ashexewkb(w.geom)`, 'tower w where w.submission_id = s.id')} as towers
    from submission s join provider p on p.id = s.provider_id`,
  datasets: `
    select p.name, s.file_name, t.name as technology, d.scope, d.state, d.area_km2, d.change, d.overview_at is not null as drawn,
      d.rows_removed_at is not null as removed, (select count(*) from tier where dataset_id = d.id) as tiers,
      (select count(*) from publication where dataset_id = d.id) as publications,
      ${shapesIn('coverage')} as coverage, ${shapesIn('coverage_archive')} as archive,
      ${digest('change || st_ashexewkb(geom)', 'coverage_change where dataset_id = d.id')} as changes,
      ${digest(`concat_ws('/', z, x, y, encode(cells, 'hex'))`, 'coverage_overview where dataset_id = d.id')} as drawing
    from dataset d join submission s on s.id = d.submission_id join provider p on p.id = d.provider_id
    join technology t on t.id = d.technology_id`,
  providers: 'select name, url, wholesale_network, description, area_served from provider',
  catalog: 'select version from catalog',
  fees: `
    select p.name, s.file_name, f.kind, f.amount_cents from processing_fee f join provider p on p.id = f.provider_id
    join submission s on s.id = f.submission_id`,
  entries: `
    select ${account} as account, kind, month, description, quantity, amount_cents from ledger_entry`,
  // The numbers of invoices show their order.
  invoices: `
    select number, ${account} as account, month, occasion, subtotal_cents, gst_cents, total_cents, due_cents, previous, usage,
      (select array_agg(e.description order by l.position) from invoice_line l join ledger_entry e on e.id = l.entry_id
       where l.invoice_number = i.number) as lines
    from invoice i`,
  months: 'select month, closed_by from month_close',
  audit: `
    select action, actor_name, p.name, s.file_name from audit_event a left join provider p on p.id = a.provider_id
    left join submission s on s.id = a.submission_id`,
  names: 'select * from domain',
  released: 'select * from released_domain',
  runs: 'select scheduled_for, released from release_run',
};

export async function endState(database: Database): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(queries)) {
    const { rows } = await database.query<{ row: string }>(
      `select to_jsonb(one)::text as row from (${text}) as one order by 1`,
    );
    state[name] = rows.map(({ row }) => row);
  }
  return state;
}

/** Queries by rule, each for the rows that break it. */
const forbidden = {
  'a part of a publication': `
    select submission_id from dataset where state in ('ready', 'published') group by submission_id having count(distinct state) > 1`,
  'a published submission without a published dataset': `
    select id from submission s where (state = 'published') <>
      exists (select from dataset where submission_id = s.id and state = 'published')`,
  // Once, and once more by each rollback that was decided on, is over and has not failed.
  'a version published too often, or not again': `
    select p.dataset_id from publication p join dataset d on d.id = p.dataset_id
    group by d.id, p.dataset_id having count(*) <> 1 - (d.state = 'restoring')::int
      + (select count(*) from audit_event where dataset_id = d.id and action = 'dataset_rolled_back')
      - (select count(*) from audit_event where dataset_id = d.id and action = 'dataset_rollback_failed')`,
  'publications that the catalog has not counted': `
    select version from catalog where version < (select count(distinct submission_id) from publication
      join dataset d on d.id = dataset_id)`,
  'a fee without a publication, or none': `
    select s.id from submission s where s.processed_by = 'service' and
      (select count(*) from processing_fee where submission_id = s.id) <>
      (select count(*) from audit_event where submission_id = s.id and action = 'submission_published')`,
  'a fee that is not posted once': `
    select id from processing_fee f
    where (select count(*) from ledger_entry where processing_fee_id = f.id and kind = 'processing_fee') <> 1`,
  'an invoice of something else than its lines': `
    select number from invoice i where subtotal_cents <> (select sum(amount_cents) from invoice_line l
      join ledger_entry e on e.id = l.entry_id where l.invoice_number = i.number)`,
  'a gap between invoices': 'select number from invoice where number > (select count(*) from invoice)',
  'an invoice of a month that is open': `
    select number from invoice where occasion = 'month' and month not in (select month from month_close)`,
  'a closed month charged twice': `
    select customer_id from ledger_entry where kind in ('overage', 'plan_fee') group by customer_id, kind, month having count(*) > 1`,
  'a name released and registered': 'select name from domain join released_domain using (name)',
  'a run that released other names': `
    select scheduled_for from release_run r
    where released <> (select count(*) from released_domain where scheduled_for = r.scheduled_for)`,
};

/** The rows that break a rule, by the rule; empty while all is well. */
export async function brokenRules(database: Database): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, text] of Object.entries(forbidden)) {
    const { rows } = await database.query(text);
    if (rows.length > 0) broken[rule] = rows;
  }
  return broken;
}
