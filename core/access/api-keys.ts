import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { generateSecret, secretDigest, secretHint } from './secrets.ts';

/** Who asks. */
export interface ApiKey {
  id: number;
  customerId: number;
}

/**
 * How long a key is believed without asking the database again. A revocation is announced and takes effect at once;
 * this is how long it takes where the announcement is lost.
 */
const believedMs = 5_000;
/** Keys in memory, unknown ones included: a flood of made-up keys takes no more than this many entries. */
const rememberedKeys = 20_000;

/**
 * Gives a customer, created where there is none of that name, a new key. The key is shown this once: only its SHA-256
 * is stored.
 * @param key the key to store instead of a random one; for the demo only
 */
export async function createKey(
  db: Database,
  customerName: string,
  key = generateSecret('m'),
): Promise<string> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: number }>(
      `insert into customer as c (name) values ($1)
       on conflict (lower(name)) do update set name = c.name
       returning id`,
      [customerName],
    );
    await connection.query(
      `insert into api_key (customer_id, key_sha256, hint) values ($1, $2, $3) on conflict (key_sha256) do nothing`,
      [rows[0]?.id, secretDigest(key), secretHint(key)],
    );
  });
  return key;
}

export interface ListedKey {
  id: number;
  customer: string;
  hint: string;
  created_at: Date;
  revoked_at: Date | null;
}

export async function listKeys(db: Queryable): Promise<ListedKey[]> {
  const { rows } = await db.query<ListedKey>(
    `select k.id, c.name as customer, k.hint, k.created_at, k.revoked_at
     from api_key k join customer c on c.id = k.customer_id
     order by lower(c.name), k.id`,
  );
  return rows;
}

/**
 * Ends a key. The API processes hear of it at once.
 * @throws CovermapError `key_unknown`
 */
export async function revokeKey(db: Queryable, id: number): Promise<void> {
  const { rowCount } = await db.query(
    'update api_key set revoked_at = coalesce(revoked_at, now()) where id = $1',
    [id],
  );
  if (rowCount === 0) {
    throw new CovermapError(
      'key_unknown',
      `There is no key number ${id}.`,
      'The numbers are in: npm run admin -- key list',
    );
  }
}

/** Knows which keys are good, without a query for each request. */
export class KeyRing {
  readonly #database: Database;
  readonly #known = new LRUCache<string, Promise<ApiKey | undefined>>({
    max: rememberedKeys,
    ttl: believedMs,
  });
  #stopListening: (() => Promise<void>) | undefined;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(database: Database): Promise<KeyRing> {
    const ring = new KeyRing(database);
    ring.#stopListening = await database.listen(
      'api_key',
      (hexDigest) => ring.#known.delete(hexDigest),
      () => ring.#known.clear(),
    );
    return ring;
  }

  /** The key's owner, or undefined where the key is unknown or revoked. Requests with the same key share one query. */
  find(key: string): Promise<ApiKey | undefined> {
    const digest = hash('sha256', key, 'hex');
    const known = this.#known.get(digest);
    if (known) return known;
    const found = findKey(this.#database, Buffer.from(digest, 'hex'));
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

async function findKey(db: Queryable, digest: Buffer): Promise<ApiKey | undefined> {
  const { rows } = await db.query<{ id: number; customer_id: number }>({
    name: 'api_key_by_digest',
    text: 'select id, customer_id from api_key where key_sha256 = $1 and revoked_at is null',
    values: [digest],
  });
  const row = rows[0];
  return row && { id: row.id, customerId: row.customer_id };
}
