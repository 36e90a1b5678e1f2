import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { type Day, dayOf } from '../nz-time.ts';
import { type Actor, commandActor } from './actor.ts';
import { generateSecret, secretDigest, secretHint } from './secrets.ts';

/** Who asks. */
export interface ApiKey {
  id: number;
  customerId: number;
  /** It is good for callers on this machine only. */
  localOnly: boolean;
  /**
   * Of a customer without a plan, to whom staff do not allow overage: how many free queries were left when the key was looked
   * up. Undefined: it is answered as often as it asks.
   */
  freeLeft: number | undefined;
}

/**
 * How long a key is believed without asking the database again. A revocation is announced and takes effect at once;
 * this is how long it takes where the announcement is lost.
 */
const believedMs = 5_000;
/** Keys in memory, unknown ones included: a flood of made-up keys takes no more than this many entries. */
const rememberedKeys = 20_000;

/** The most keys of a customer that are good at once. */
const mostKeys = 20;
/** The most that a customer makes in 24 hours: each has a rate of its own, so they are not to be gone through. */
const mostNewKeys = 20;
/** The longest that a key and the one that takes its place are both good. Hours */
export const longestOverlapHours = 720;

/**
 * Gives a customer, created where there is none of that name, a new key. The key is shown this once: only its SHA-256
 * is stored.
 * @param key the key to store instead of a random one
 * @param localOnly it is good for callers on this machine only: for the demo
 */
export async function createKey(
  db: Database,
  customerName: string,
  key = generateSecret('m'),
  localOnly = false,
): Promise<string> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: number }>(
      `insert into customer as c (name) values ($1)
       on conflict (lower(name)) do update set name = c.name
       returning id`,
      [customerName],
    );
    await storeKey(connection, rows[0]?.id as number, { key, label: '', localOnly }, commandActor);
  });
  return key;
}

/** A key, as its customer and staff see it. */
export interface CustomerKey {
  id: number;
  label: string;
  hint: string;
  created_at: Date;
  /** `expiring`: another has taken its place, and it is good until `expires_at`. */
  state: 'active' | 'expiring' | 'expired' | 'revoked';
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: number | null;
  /** When the newest hour with a billable query began; when the key was made, where that is later. */
  last_used: Date | null;
}

/** A key that was just made: the secret is known now and never again. */
export interface NewKey {
  key: CustomerKey;
  secret: string;
}

/** A customer's keys, newest first. */
export async function listCustomerKeys(
  db: Queryable,
  customerId: number,
  id?: number,
): Promise<CustomerKey[]> {
  const { rows } = await db.query<CustomerKey>(
    `select k.id, k.label, k.hint, k.created_at, k.expires_at, k.revoked_at, k.replaced_by,
       case
         when k.revoked_at is not null then 'revoked'
         when least(k.expires_at, c.closes_at) <= now() then 'expired'
         when k.expires_at is not null then 'expiring'
         else 'active'
       end as state,
       -- An hour may have begun before the key was made in it.
       (select greatest(n.hour, k.created_at)
        from (select max(u.hour) as hour from usage_hour u where u.key_id = k.id) as n where n.hour is not null) as last_used
     from api_key k join customer c on c.id = k.customer_id
     where k.customer_id = $1 and ($2::integer is null or k.id = $2)
     order by k.id desc`,
    [customerId, id ?? null],
  );
  return rows;
}

/**
 * Gives a customer another key.
 * @throws CovermapError `customer_unknown`, `too_many_keys`
 */
export async function addKey(db: Database, customerId: number, label: string, actor: Actor): Promise<NewKey> {
  return db.transaction(async (connection) => {
    await lockCustomer(connection, customerId);
    const secret = generateSecret('m');
    const id = await storeKey(connection, customerId, { key: secret, label }, actor);
    return { key: await findCustomerKey(connection, customerId, id), secret };
  });
}

/**
 * Puts a new key in the place of one. Both are good for a while, so that nothing stands still while programs change over.
 * @param overlapHours for how long; 0: the old one ends at once
 * @throws CovermapError `key_unknown`, `key_not_active`, `too_many_keys`
 */
export async function rotateKey(
  db: Database,
  customerId: number,
  id: number,
  overlapHours: number,
  actor: Actor,
): Promise<NewKey & { replaced: CustomerKey }> {
  return db.transaction(async (connection) => {
    await lockCustomer(connection, customerId);
    const old = await findCustomerKey(connection, customerId, id);
    if (old.state !== 'active') {
      throw new CovermapError(
        'key_not_active',
        `Key number ${id} is not in use any more, or another has taken its place already.`,
        'Make a new key instead.',
      );
    }
    const secret = generateSecret('m');
    const newId = await storeKey(connection, customerId, { key: secret, label: old.label }, actor, id);
    await connection.query(
      'update api_key set replaced_by = $2, expires_at = now() + make_interval(hours => $3) where id = $1',
      [id, newId, overlapHours],
    );
    return {
      key: await findCustomerKey(connection, customerId, newId),
      secret,
      replaced: await findCustomerKey(connection, customerId, id),
    };
  });
}

/**
 * Ends a key. The API processes hear of it at once.
 * @param customerId whose key it has to be; undefined: anybody's
 * @throws CovermapError `key_unknown`
 */
export async function revokeKey(
  db: Database,
  id: number,
  actor: Actor = commandActor,
  customerId?: number,
): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ customer_id: number; hint: string; before: Date | null }>(
      `update api_key k set revoked_at = coalesce(k.revoked_at, now())
       from api_key as old
       where k.id = $1 and old.id = k.id and ($2::integer is null or k.customer_id = $2)
       returning k.customer_id, k.hint, old.revoked_at as before`,
      [id, customerId ?? null],
    );
    const revoked = rows[0];
    if (!revoked) throw keyUnknown(id);
    if (revoked.before) return;
    await record(connection, actor, {
      action: 'key_revoked',
      customerId: revoked.customer_id,
      details: { key_id: id, hint: revoked.hint },
    });
  });
}

/** @throws CovermapError `key_unknown` */
export async function findCustomerKey(db: Queryable, customerId: number, id: number): Promise<CustomerKey> {
  const [key] = await listCustomerKeys(db, customerId, id);
  if (!key) throw keyUnknown(id);
  return key;
}

/** @throws CovermapError `customer_unknown` */
async function lockCustomer(connection: Connection, customerId: number): Promise<void> {
  const { rows } = await connection.query('select id from customer where id = $1 for update', [customerId]);
  if (!rows[0]) throw new CovermapError('customer_unknown', 'There is no such customer.');
}

/** @param replaces the key in whose place it comes, which does not count any more */
async function storeKey(
  connection: Connection,
  customerId: number,
  { key, label, localOnly = false }: { key: string; label: string; localOnly?: boolean },
  actor: Actor,
  replaces?: number,
): Promise<number> {
  const { rows: counted } = await connection.query<Record<'good' | 'made', number>>(
    `select
       count(*) filter (
         where revoked_at is null and (expires_at is null or expires_at > now()) and id is distinct from $2
       )::integer as good,
       count(*) filter (where created_at > now() - interval '24 hours')::integer as made
     from api_key where customer_id = $1`,
    [customerId, replaces ?? null],
  );
  const { good, made } = counted[0] as Record<'good' | 'made', number>;
  // Those who run the service may help out.
  if (actor.kind === 'customer' && made >= mostNewKeys) {
    throw new CovermapError(
      'too_many_keys',
      `${mostNewKeys} keys were made in the last 24 hours.`,
      'Revoked ones count. Go on with those that there are, or ask the people who run this service.',
    );
  }
  if (good >= mostKeys) {
    throw new CovermapError(
      'too_many_keys',
      `There are ${mostKeys} good keys already.`,
      'Revoke those that are not used.',
    );
  }
  const { rows } = await connection.query<{ id: number }>(
    `insert into api_key (customer_id, label, key_sha256, hint, local_only) values ($1, $2, $3, $4, $5) returning id`,
    [customerId, label, secretDigest(key), secretHint(key), localOnly],
  );
  const { id } = rows[0] as { id: number };
  await record(connection, actor, {
    action: replaces === undefined ? 'key_created' : 'key_rotated',
    customerId,
    details: { key_id: id, hint: secretHint(key), label, ...(replaces === undefined ? {} : { replaces }) },
  });
  return id;
}

function keyUnknown(id: number): CovermapError {
  return new CovermapError(
    'key_unknown',
    `There is no key number ${id}.`,
    'The numbers are in: npm run admin -- key list',
  );
}

export interface ListedKey {
  id: number;
  customer: string;
  label: string;
  hint: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export async function listKeys(db: Queryable): Promise<ListedKey[]> {
  const { rows } = await db.query<ListedKey>(
    `select k.id, c.name as customer, k.label, k.hint, k.created_at, k.expires_at, k.revoked_at
     from api_key k join customer c on c.id = k.customer_id
     order by lower(c.name), k.id`,
  );
  return rows;
}

/** Knows which keys are good, without a query for each request. */
export class KeyRing {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #known = new LRUCache<string, Promise<ApiKey | undefined>>({
    max: rememberedKeys,
    ttl: believedMs,
  });
  #stopListening: (() => Promise<void>) | undefined;

  private constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** @param now the clock of billing, which says who has a plan today */
  static async open(database: Database, now: () => Date = () => new Date()): Promise<KeyRing> {
    const ring = new KeyRing(database, now);
    ring.#stopListening = await database.listen(
      'api_key',
      (hexDigest) => ring.#known.delete(hexDigest),
      () => ring.#known.clear(),
    );
    return ring;
  }

  /** What {@link find} would give, where it is known without asking the database. */
  peek(key: string): Promise<ApiKey | undefined> | undefined {
    return this.#known.get(hash('sha256', key, 'hex'));
  }

  /** The key's owner, or undefined where the key is unknown or revoked. Requests with the same key share one query. */
  find(key: string): Promise<ApiKey | undefined> {
    const digest = hash('sha256', key, 'hex');
    const known = this.#known.get(digest);
    if (known) return known;
    const found = findKey(this.#database, Buffer.from(digest, 'hex'), dayOf(this.#now()));
    this.#known.set(digest, found);
    // A failure is not remembered: the next request asks again. Unless what stands there is newer by now.
    found.catch(() => {
      if (this.#known.peek(digest) === found) this.#known.delete(digest);
    });
    return found;
  }

  async close(): Promise<void> {
    await this.#stopListening?.();
  }
}

async function findKey(db: Queryable, digest: Buffer, today: Day): Promise<ApiKey | undefined> {
  const { rows } = await db.query<{
    id: number;
    customer_id: number;
    local_only: boolean;
    free_left: number | null;
  }>({
    name: 'api_key_by_digest',
    // A key ends by itself when another has taken its place for long enough, or when its customer's last plan ends.
    text: `select k.id, k.customer_id, k.local_only,
        case when may_owe(c.id, $2::date) then null else free_left(c.id) end as free_left
      from api_key k join customer c on c.id = k.customer_id
      where k.key_sha256 = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and (c.closes_at is null or c.closes_at > now())`,
    values: [digest, today],
  });
  const row = rows[0];
  return (
    row && {
      id: row.id,
      customerId: row.customer_id,
      localOnly: row.local_only,
      freeLeft: row.free_left ?? undefined,
    }
  );
}
