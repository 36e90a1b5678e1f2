import { z } from 'zod';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { named, time } from '../platform/schemas.ts';
import { type Actor, commandActor } from './actor.ts';
import { record } from './audit.ts';
import { generateSecret, secretDigest, secretFields, secretHint, secretState } from './secrets.ts';

const maxActiveKeys = 20;
/** Keys that a customer may create in 24 hours: each has a rate limit of its own, so new ones must not get round it. */
const maxNewKeys = 20;
/** The overlap of a rotated key with its successor. */
export const overlapHours = { default: 72, max: 720 };

/** The differences from a key for programs without a name. */
interface KeyOptions {
  label?: string | undefined;
  /** The origin of its pages, as `originOf` gives it. */
  origin?: string | null | undefined;
}

/**
 * Creates a key for a customer, which is created where the name is new. Only the key's SHA-256 is stored.
 * @param key stored instead of a random one @param localOnly accepted from this machine only: for the demo
 */
export function createKey(
  db: Database | Connection,
  customerName: string,
  key = generateSecret('m'),
  localOnly = false,
): Promise<string> {
  return inOneTransaction(db, async (connection) => {
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into customer as c (name) values (${customerName})
      on conflict (lower(name)) do update set name = c.name
      returning id`);
    await storeKey(connection, rows[0]?.id as number, { key, localOnly }, commandActor);
    return key;
  });
}

/** A key as its customer and staff see it. */
export const Key = named('Key', {
  ...secretFields,
  label: z.string(),
  origin: z
    .string()
    .nullable()
    .describe('The pages that may show `/embed` with it; null: a key for programs.'),
  /** `expiring`: rotated, and active until `expires_at`. */
  state: secretState,
  expires_at: time().nullable(),
  replaced_by: z.int().nullable(),
  last_used: time()
    .nullable()
    .describe('The start of the last hour with a billable query, or the key’s creation if it is later.'),
});
type Key = z.output<typeof Key>;

export async function listCustomerKeys(db: Queryable, customerId: number, id?: number) {
  const { rows } = await db.query<Key>(sql`
    select k.id, k.label, k.origin, k.hint, k.created_at, k.expires_at, k.revoked_at, k.replaced_by,
      case
        when k.revoked_at is not null then 'revoked'
        when least(k.expires_at, c.closes_at) <= now() then 'expired'
        when k.expires_at is not null then 'expiring'
        else 'active'
      end as state,
      -- The key may be newer than the hour's start.
      (select greatest(n.hour, k.created_at)
       from (select max(u.hour) as hour from usage_hour u where u.key_id = k.id) as n where n.hour is not null) as last_used
    from api_key k join customer c on c.id = k.customer_id
    where k.customer_id = ${customerId} and (${id}::integer is null or k.id = ${id})
    order by k.id desc`);
  return rows;
}

/** Creates a key. Its secret is known now and never again. @throws CovermapError `customer_unknown`, `too_many_keys` */
export async function addKey(db: Database, customerId: number, options: KeyOptions, actor: Actor) {
  return db.transaction(async (connection) => {
    await lockCustomer(connection, customerId);
    const secret = generateSecret('m');
    const id = await storeKey(connection, customerId, { key: secret, ...options }, actor);
    return { key: await findCustomerKey(connection, customerId, id), secret };
  });
}

/** Replaces a key; the old one stays active for some hours. @throws CovermapError `key_unknown`, `key_not_active`, `too_many_keys` */
export async function rotateKey(
  db: Database,
  customerId: number,
  id: number,
  overlapHours: number,
  actor: Actor,
) {
  return db.transaction(async (connection) => {
    await lockCustomer(connection, customerId);
    const old = await findCustomerKey(connection, customerId, id);
    if (old.state !== 'active') throw new CovermapError('key_not_active', `Key ${id} is not active.`);
    const secret = generateSecret('m');
    const { label, origin } = old;
    const newId = await storeKey(connection, customerId, { key: secret, label, origin }, actor, id);
    await connection.query(sql`
      update api_key set replaced_by = ${newId}, expires_at = now() + make_interval(hours => ${overlapHours})
      where id = ${id}`);
    return {
      key: await findCustomerKey(connection, customerId, newId),
      secret,
      replaced: await findCustomerKey(connection, customerId, id),
    };
  });
}

/** Revokes a key. @param customerId its required owner; undefined: anyone @throws CovermapError `key_unknown` */
export async function revokeKey(db: Database, id: number, actor: Actor = commandActor, customerId?: number) {
  await db.transaction(async (connection) => {
    // Locked first: of two at once, the second sees that it is revoked.
    const { rows } = await connection.query<{ customer_id: number; hint: string; before: Date | null }>(sql`
      select customer_id, hint, revoked_at as before from api_key
      where id = ${id} and (${customerId}::integer is null or customer_id = ${customerId}) for update`);
    const revoked = rows[0];
    if (!revoked) throw keyUnknown(id);
    if (revoked.before) return;
    await connection.query(sql`update api_key set revoked_at = now() where id = ${id}`);
    await record(connection, actor, {
      action: 'key_revoked',
      customerId: revoked.customer_id,
      details: { key_id: id, hint: revoked.hint },
    });
  });
}

/** @throws CovermapError `key_unknown` */
export async function findCustomerKey(db: Queryable, customerId: number, id: number): Promise<Key> {
  const [key] = await listCustomerKeys(db, customerId, id);
  if (!key) throw keyUnknown(id);
  return key;
}

/** The customer of a key. @throws CovermapError `key_unknown` */
export async function customerOfKey(db: Queryable, id: number): Promise<number> {
  const statement = sql`select customer_id from api_key where id = ${id}`;
  const { rows } = await db.query<{ customer_id: number }>(statement);
  if (!rows[0]) throw keyUnknown(id);
  return rows[0].customer_id;
}

/** @throws CovermapError `customer_unknown` */
async function lockCustomer(connection: Connection, customerId: number): Promise<void> {
  const { rows } = await connection.query(sql`select id from customer where id = ${customerId} for update`);
  if (!rows[0]) throw new CovermapError('customer_unknown');
}

/** @param replaces the key that it replaces, which no longer counts as active */
async function storeKey(
  connection: Connection,
  customerId: number,
  { key, label = '', origin = null, localOnly = false }: KeyOptions & { key: string; localOnly?: boolean },
  actor: Actor,
  replaces?: number,
): Promise<number> {
  const { rows: counted } = await connection.query<{ active: number; created: number }>(sql`
    select
      count(*) filter (
        where revoked_at is null and (expires_at is null or expires_at > now()) and id is distinct from ${replaces}
      )::integer as active,
      count(*) filter (where created_at > now() - interval '24 hours')::integer as created
    from api_key where customer_id = ${customerId}`);
  const { active, created } = counted[0] as (typeof counted)[0];
  // This limit is not for staff.
  if (actor.kind === 'customer' && created >= maxNewKeys) {
    const message = `${maxNewKeys} keys were created in the last 24 hours, revoked ones included.`;
    throw new CovermapError('too_many_keys', message);
  }
  if (active >= maxActiveKeys) {
    const message = `The customer has ${maxActiveKeys} active keys already.`;
    throw new CovermapError('too_many_keys', message, 'Revoke those that are not used.');
  }
  const { rows } = await connection.query<{ id: number }>(sql`
    insert into api_key (customer_id, label, origin, key_sha256, hint, local_only)
    values (${customerId}, ${label}, ${origin}, ${secretDigest(key)}, ${secretHint(key)}, ${localOnly}) returning id`);
  const { id } = rows[0] as { id: number };
  await record(connection, actor, {
    action: replaces === undefined ? 'key_created' : 'key_rotated',
    customerId,
    details: {
      key_id: id,
      hint: secretHint(key),
      label,
      origin,
      ...(replaces === undefined ? {} : { replaces }),
    },
  });
  return id;
}

function keyUnknown(id: number): CovermapError {
  const hint = 'The numbers are in: npm run admin -- key list';
  return new CovermapError('key_unknown', `There is no key ${id}.`, hint);
}

export async function listKeys(db: Queryable) {
  const { rows } = await db.query<{ customer: string } & Omit<Key, 'state' | 'replaced_by' | 'last_used'>>(
    `select k.id, c.name as customer, k.label, k.origin, k.hint, k.created_at, k.expires_at, k.revoked_at
     from api_key k join customer c on c.id = k.customer_id
     order by lower(c.name), k.id`,
  );
  return rows;
}
