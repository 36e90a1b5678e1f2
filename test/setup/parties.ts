import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import type { Schema } from '../../api/openapi/types.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import { eachSpeed } from '../../coverage/speeds.ts';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import type { ModellingReport } from '../../coverage/submissions/modelling-report.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Described, descriptionOf, filledPath, operationsIn } from './operations.ts';
import type { Place } from './service.ts';

/* Operators and customers with one of each thing, and every operation of /openapi.json to ask for these. */

export const nobodys = { uuid: '00000000-0000-4000-8000-000000000000', number: 999_999 };

/** A minimal report. */
export const modellingReport: ModellingReport = {
  ...{ model: 'Irregular Terrain Model', profile: 'fixed-wireless' },
  speeds: [{ dbm: -90, ...eachSpeed(() => 10) }],
  parameters: {
    ...{ range_km: 30, resolution_m: 30, receiver_height_m: 5, receiver_gain_dbi: 10 },
    ...{ time_percent: 90, location_percent: 50, situation_percent: 50, climate: 6, refractivity: 320 },
  },
  picture: { place: { west: 174, south: -37, east: 175, north: -36 }, floor_dbm: -200 },
  ...{ terrain: [], clutter: null, unknown_share: 0, areas: 1, sites: 1, sites_reused: 0, towers: [] },
};

/** An operator and a customer, and one of each thing that they have. */
export type Party = Awaited<ReturnType<typeof makeParty>>;

export interface Asking extends Pick<Described, 'path' | 'operation'> {
  method: string;
  /** The fields of its body, of any form that it takes. */
  fields: string[];
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Two parties, each with things of its own, alike. */
export async function makeParties({ config }: Pick<Place, 'config'>, database: Database) {
  // All rows share this file.
  mkdirSync(config.uploadDir, { recursive: true });
  writeFileSync(path.join(config.uploadDir, 'none'), 'x');
  await database.query(`insert into month_close (month, closed_by) values ('2020-01-01', 'test')`);
  return [await makeParty(database, 'Kauri', 1), await makeParty(database, 'Tui', 2)] as const;
}

/** @param number of its invoice */
export async function makeParty(database: Database, name: string, number: number) {
  const idOf = async <Id = number>(sql: string, values: unknown[] = []): Promise<Id> =>
    (await database.query<{ id: Id }>(sql, values)).rows[0]?.id as Id;
  const [provider, customer] = [`${name} Networks`, `${name} Homes`];
  const key = await createKey(database, customer);
  const customerId = await idOf('select id from customer where name = $1', [customer]);
  const operatorToken = await createToken(database, operatorOf(provider), name, commandActor);
  const customerToken = await createToken(database, { role: 'customer', customerId }, name, commandActor);
  const providerId = await idOf('select id from provider where name = $1', [provider]);
  const manifest = parseManifest({ provider, technology: 'fibre', publish: 'review' });
  const submit = (kind: string, processed: string) =>
    idOf<string>(
      `insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at, kind,
         processed_by, towers_read_at)
       values ($1, 'ready', $2, 'none', 1, sha256($2::text::bytea),
         $5, now(), $3, $4, now()) returning id`,
      [providerId, `${name}-${kind}.zip`, kind, processed, manifest],
    );
  const submission = await submit('coverage', 'operator');
  const towers = await submit('towers', 'service');
  const dataset = await idOf(
    `insert into dataset (submission_id, provider_id, technology_id, state) values ($1, $2, 1, 'ready') returning id`,
    [submission, providerId],
  );
  await database.query(
    `insert into modelling (submission_id, state, parameters, report, storage_key, picture_key, size_bytes)
     values ($1, 'cancelled', '{}', $2, 'none', 'none', 1)`,
    [submission, JSON.stringify(modellingReport)],
  );
  const exclusion = await idOf(
    `insert into exclusion (provider_id, drawn, geom, km2, reason, created_by)
     values ($1, '{"circle": {"lat": -36.9, "lng": 174.8, "radius_m": 15}}', st_geomfromtext('POLYGON((174 -36, 175 -36, 175 -37, 174 -36))', 4326), 1, $2, $2)
     returning id`,
    [providerId, name],
  );
  const uploader = await idOf('select id from access_token where provider_id = $1', [providerId]);
  const file = await idOf<string>(
    `insert into upload (id, token_id, file_name, size_bytes, storage_key, sha256, inspection, expires_at)
     values (gen_random_uuid(), $1, $2, 1, 'none', sha256('x'), '{}', now() + interval '1 day') returning id`,
    [uploader, `${name}-file.zip`],
  );
  const stop = await idOf(
    `insert into order_stop (provider_id, kind, area, from_day, created_by)
     values ($1, 'area', '{"circle":{"lat":-41,"lng":174,"radius_m":100}}', current_date, 'test') returning id`,
    [providerId],
  );
  const keyId = await idOf('select id from api_key where customer_id = $1', [customerId]);
  const token = await idOf('select id from access_token where customer_id = $1', [customerId]);
  const usage = { month: '2020-01', queries: 5, free: 5, bundle: 0, bundled: 0, overage: 0 };
  // The operator's has a number of its own, and each a credit note of the same number.
  const operatorInvoice = number + 500;
  for (const [own, owner, id, recipient] of [
    [number, 'customer_id', customerId, customer],
    [operatorInvoice, 'provider_id', providerId, provider],
  ] as const) {
    await database.query(
      `insert into invoice (number, ${owner}, month, recipient, issued_on, due_on, usage, subtotal_cents, gst_percent,
         gst_cents, total_cents, brought_forward_cents, due_cents, carried_forward_cents)
       values ($1, $2, '2020-01-01', $3, '2020-02-01', '2020-02-20', $4, 100, 15, 15, 115, 0, 115, 0)`,
      [own, id, recipient, owner === 'customer_id' ? usage : null],
    );
    await database.query(
      `insert into credit_note (number, ${owner}, invoice_number, reason, recipient, issued_on, gst_percent, subtotal_cents, gst_cents,
         total_cents, created_by) values ($1, $2, $1, 'Test', $3, '2020-02-02', 15, 10, 2, 12, 'test')`,
      [own, id, recipient],
    );
  }
  // The next papers get later numbers.
  for (const counter of ['invoice_counter', 'credit_note_counter'])
    await database.query(`update ${counter} set last = greatest(last, $1)`, [operatorInvoice]);
  const paymentOf = async (owner: 'customer_id' | 'provider_id', id: number) => {
    const entry = await idOf<number>(
      `insert into ledger_entry (${owner}, kind, month, description, quantity, unit_price_cents, amount_cents, cause, source, settles, booked_by)
       values ($1, 'payment', '2020-02-01', 'Payment', 1, -115, -115, $2, '{}', true, 'test') returning id`,
      [id, `payment:${owner}:${id}`],
    );
    const paid = "insert into payment (entry_id, on_day, method) values ($1, '2020-02-10', 'cash')";
    await database.query(paid, [entry]);
    return entry;
  };
  const payments = {
    receipt: await paymentOf('customer_id', customerId),
    operators_receipt: await paymentOf('provider_id', providerId),
  };
  const job = await idOf<string>(
    `insert into bulk_job (api_key_id, input_format, output_format, storage_key, size_bytes, expires_at)
     values ($1, 'csv', 'csv', 'none', 1, now() + interval '1 day') returning id`,
    [keyId],
  );
  const coverageExport = await idOf<string>(
    `insert into coverage_export (provider_id, format, by_staff, actor, state, storage_key, file_name, size_bytes, finished_at, expires_at)
     values ($1, 'geopackage', false, $2, 'done', 'none', $2, 1, now(), now() + interval '1 day') returning id`,
    [providerId, name],
  );
  /** By the description's name of the thing. */
  const ids: Record<string, string | number> = {
    ...{ provider: providerId, submission, towers, dataset, file, stop, exclusion, export: coverageExport },
    ...{ customer: customerId, key: keyId, token, invoice: number, 'bulk job': job, uploader },
    // Entries, e-mails, imports and what a bank has are for staff alone.
    ...{ entry: nobodys.number, mail: nobodys.number, import: nobodys.uuid },
    ...{ bank_file: nobodys.number, bank_line: nobodys.number, xero_export: nobodys.number },
    ...{
      ...payments,
      credit_note: number,
      operators_credit_note: operatorInvoice,
      operators_invoice: operatorInvoice,
    },
  };
  return { provider, customer, customerId, operatorToken, customerToken, key, ids };
}

/** All operations that a service describes. */
export async function operationsOf(url: string): Promise<Asking[]> {
  const document = await descriptionOf(url);
  const namesIn = (schema: Schema): string[] => {
    const {
      $ref,
      properties = {},
      allOf = [],
    } = schema as { $ref?: string; properties?: object; allOf?: Schema[] };
    const referred = document.components.schemas[$ref?.replace(/.*\//, '') ?? ''] ?? {};
    return [
      ...($ref === undefined ? [] : namesIn(referred)),
      ...Object.keys(properties),
      ...allOf.flatMap(namesIn),
    ];
  };
  return operationsIn(document).map(({ path, method, operation }) => {
    const bodies = Object.values(operation.requestBody?.content ?? {});
    const fields = new Set(bodies.flatMap(({ schema }) => namesIn(schema)));
    return { path, operation, method: method.toUpperCase(), fields: [...fields] };
  });
}

/** The id of a thing that a path names, of a party or of nobody; undefined where it names none. */
export function thingOf({ path, operation }: Asking, name: string, whose: Party | undefined) {
  const what = operation['x-access'].things[name]?.what;
  if (what === undefined) return undefined;
  const isUuid = ['submission', 'file', 'bulk job', 'import', 'export'].includes(what);
  const kind = path.includes('tower-work')
    ? 'towers'
    : /^\/api\/operator\/(credit-notes|receipts|invoices)\//.test(path)
      ? `operators_${what}`
      : what;
  if (whose && !(kind in whose.ids)) throw new Error(`A party has no ${kind}.`);
  return String(whose ? whose.ids[kind] : isUuid ? nobodys.uuid : nobodys.number);
}

/** The address of an operation on a party's things. @param instead values of parameters, in place of those */
export function addressOf(
  asking: Asking,
  whose: Party | undefined,
  key?: string,
  instead: Record<string, string> = {},
): string {
  const filled = filledPath(asking, (name) =>
    name in instead ? encodeURIComponent(instead[name] as string) : thingOf(asking, name, whose),
  );
  return key === undefined ? filled : `${filled}?api_key=${key}`;
}

/** Asks for an operation. A stream of events does not end by itself: its text is empty. */
export async function askFor({ method }: Asking, url: string, headers: object, text?: string) {
  const body = ['GET', 'HEAD'].includes(method) ? undefined : text;
  const usual = body === undefined ? {} : { 'content-type': 'application/json' };
  const asked = { 'tus-resumable': '1.0.0', ...usual, ...headers };
  const response = await fetch(url, { method, headers: asked, body: body ?? null });
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isEndless) await response.body?.cancel();
  return { status: response.status, text: isEndless ? '' : await response.text() };
}

/** All rows that name a party or something of it; without a party, all rows of all tables. */
export async function rowsOf(database: Database, party?: Party): Promise<string[]> {
  const { provider, customer, submission, towers, dataset, key, file, uploader } = party?.ids ?? {};
  const named: Record<string, unknown[]> = {
    ...{ provider_id: [provider], customer_id: [customer], submission_id: [submission, towers] },
    ...{ dataset_id: [dataset], api_key_id: [key], upload_id: [file], token_id: [uploader] },
  };
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> 'spatial_ref_sys'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: object }>(`select to_jsonb(t) as row from ${name} t`);
    const isTheirs = ([column, value]: [string, unknown]) =>
      named[column === 'id' ? `${name}_id` : column]?.includes(value);
    const theirs = rows.filter(({ row }) => !party || Object.entries(row).some(isTheirs));
    found.push(...theirs.map(({ row }) => `${name} ${JSON.stringify(row)}`));
  }
  return found.sort();
}
