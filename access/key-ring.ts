import { hash } from 'node:crypto';
import { coalesced, silenceMs } from '../platform/database/coalescer.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { openNotifiedCache } from '../platform/database/notified-cache.ts';
import { type Day, dayOf } from '../platform/nz-time.ts';

export interface ApiKey {
  id: number;
  customerId: number;
  /** The pages that it is for, in `/embed` alone; null: it is for programs. */
  origin: string | null;
  localOnly: boolean;
  /** Names the limits of a customer that has a cap, or free queries alone: other ones have another name. Null: each query is answered. */
  limits: string | null;
}

/** Keys in memory, unknown ones included: a flood of invented keys takes no more entries than this. */
const maxKnownKeys = 20_000;

/** Caches active keys, so that requests need no query each. @param now the clock of billing, for plans of today */
export async function openKeyRing(database: Database, now: () => Date = () => new Date()) {
  // By the hex of a key's SHA-256, as in a NOTIFY.
  const read = coalesced<string, ApiKey | undefined>({
    name: 'look up keys',
    answer: (digests) => findKeys(database, digests, dayOf(now())),
    // Some milliseconds of the database.
    maxSize: 500,
    concurrency: 2,
    maxWaiting: maxKnownKeys,
    byTurn: true,
    withinMs: silenceMs(database),
  });
  const keys = await openNotifiedCache(database, 'api_key', read, { max: maxKnownKeys });
  return {
    /** The result of `find`, if it is in memory. */
    peek: (key: string) => keys.peek(hash('sha256', key, 'hex')),
    /** The result of `find`, if another request has already asked for the key. */
    underWay: (key: string) => keys.underWay(hash('sha256', key, 'hex')),
    /** The key's owner; undefined where the key is unknown or not active. */
    find: (key: string) => keys.get(hash('sha256', key, 'hex')),
    close: keys.close,
  };
}

async function findKeys(db: Queryable, digests: readonly string[], today: Day) {
  const { rows } = await db.query<ApiKey & { digest: string }>({
    name: 'api_keys_by_digest',
    // A key expires by itself some time after it was rotated, and when its customer's last plan ends.
    text: `select encode(k.key_sha256, 'hex') as digest, k.id, k.customer_id as "customerId", k.origin, k.local_only as "localOnly",
        case when not may_owe(c.id, $2::date) or exists (select from cap p where p.customer_id = c.id and not p.only_warns)
          then concat((select string_agg(p.id::text, ',') from cap p where p.customer_id = c.id), ' ',
            (select string_agg(concat(s.id, s.ends), ',' order by s.id) from customer_plan s where s.customer_id = c.id)) end as "limits"
      from api_key k join customer c on c.id = k.customer_id
      where k.key_sha256 = any (array(select decode(digest, 'hex') from unnest($1::text[]) as digest))
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and (c.closes_at is null or c.closes_at > billing_now())`,
    values: [digests, today],
  });
  const found = new Map(rows.map(({ digest, ...key }) => [digest, key]));
  return digests.map((digest) => found.get(digest));
}
