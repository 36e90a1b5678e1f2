import { z } from 'zod';
import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { named, time } from '../platform/schemas.ts';
import type { Actor, Identity, Role } from './actor.ts';
import { record } from './audit.ts';
import { generateSecret, secretDigest, secretFields, secretHint, secretState } from './secrets.ts';

/** The columns of an {@link Identity}, of the tables of {@link identityJoins}. */
export const identityColumns = sql`t.id as "tokenId", t.role, t.name, t.expires_at as "expiresAt", t.local_only as "localOnly",
  case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as provider,
  case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as customer`;
export const identityJoins = sql`left join provider p on p.id = t.provider_id left join customer c on c.id = t.customer_id`;

/** SQL: true for an active token `t`. */
export const tokenIsActive = sql`t.revoked_at is null and t.expires_at > now()`;

/** The owner of a token; undefined where it is unknown, revoked or expired. */
export async function findToken(db: Queryable, token: string): Promise<Identity | undefined> {
  const { rows } = await db.query<Identity>(sql`
    select ${identityColumns}
    from access_token t ${identityJoins}
    where t.token_sha256 = ${secretDigest(token)} and ${tokenIsActive}`);
  return rows[0];
}

/** The owner of a token: an operator acts for a provider, a customer sees its own account. */
export type TokenOwner =
  /** `provider`: finds it, or creates it, in the transaction of the token. */
  | { role: 'operator'; provider: (db: Queryable) => Promise<number> }
  | { role: 'staff' }
  | { role: 'customer'; customerId: number };

export const tokenDays = { default: 365, max: 3650 };

export const createToken = async (...given: Parameters<typeof makeToken>): Promise<string> =>
  (await makeToken(...given)).secret;

/**
 * Creates a token. Its secret is known now and never again: only a hash is stored.
 * @param options `localSecret`: stored instead of a random one, and accepted from this machine only: for the demo
 */
export async function makeToken(
  database: Database,
  owner: TokenOwner,
  name: string,
  actor: Actor,
  { days = tokenDays.default, localSecret }: { days?: number | undefined; localSecret?: string } = {},
): Promise<{ id: number; secret: string }> {
  const secret = localSecret ?? generateSecret('t');
  return database.transaction(async (connection) => {
    const providerId = owner.role === 'operator' ? await owner.provider(connection) : null;
    const customerId = owner.role === 'customer' ? owner.customerId : null;
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into access_token (role, provider_id, customer_id, name, token_sha256, hint, local_only, expires_at)
      values (${owner.role}, ${providerId}, ${customerId}, ${name}, ${secretDigest(secret)}, ${secretHint(secret)},
        ${localSecret !== undefined}, now() + make_interval(days => ${days}))
      returning id`);
    const { id } = rows[0] as { id: number };
    await record(connection, actor, {
      action: 'token_created',
      providerId,
      customerId,
      details: { token_id: id, role: owner.role, name, days },
    });
    return { id, secret };
  });
}

/** A token as its customer sees it. */
export const CustomerToken = named('CustomerToken', {
  ...secretFields,
  name: z.string(),
  expires_at: time(),
  state: secretState.describe('`expiring`: the token expires within 30 days.'),
});

interface ListedToken extends z.output<typeof CustomerToken> {
  role: Role;
  provider: string | null;
  customer: string | null;
}

/** @param customerId undefined: of everyone */
export async function listTokens(db: Queryable, customerId?: number): Promise<ListedToken[]> {
  const { rows } = await db.query<ListedToken>(sql`
    select t.id, t.role, p.name as provider, c.name as customer, t.name, t.hint, t.created_at, t.expires_at,
      t.revoked_at,
      case
        when t.revoked_at is not null then 'revoked'
        when t.expires_at <= now() then 'expired'
        when t.expires_at <= now() + interval '30 days' then 'expiring'
        else 'active'
      end as state
    from access_token t ${identityJoins}
    where ${customerId}::integer is null or t.customer_id = ${customerId}
    order by t.role = 'staff' desc, t.role desc, lower(coalesce(p.name, c.name)), t.id`);
  return rows;
}

/** Revokes a token and ends its sessions. @param customerId its required owner; undefined: anyone @throws CovermapError `token_unknown` */
export async function revokeToken(database: Database, id: number, actor: Actor, customerId?: number) {
  await database.transaction(async (connection) => {
    // Locked first: of two at once, the second sees that it is revoked.
    const { rows } = await connection.query<
      Record<'providerId' | 'customerId', number | null> & { name: string; before: Date | null }
    >(sql`
      select provider_id as "providerId", customer_id as "customerId", name, revoked_at as before from access_token
      where id = ${id} and (${customerId}::integer is null or customer_id = ${customerId}) for update`);
    if (!rows[0]) {
      const hint = 'List them with: npm run admin -- token list';
      throw new CovermapError('token_unknown', `There is no token number ${id}.`, hint);
    }
    const { name, before, ...owner } = rows[0];
    if (before) return;
    await connection.query(sql`update access_token set revoked_at = now() where id = ${id}`);
    await record(connection, actor, { action: 'token_revoked', ...owner, details: { token_id: id, name } });
  });
}
