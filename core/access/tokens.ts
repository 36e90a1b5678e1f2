import { record } from '../audit.ts';
import { describeProvider } from '../coverage/providers.ts';
import type { Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import type { Actor } from './actor.ts';
import { generateSecret, secretDigest, secretHint } from './secrets.ts';

export type Role = 'operator' | 'staff';

/** Whoever showed a good token, or a session that was begun with one. */
export interface Identity {
  tokenId: number;
  role: Role;
  name: string;
  /** The one that an operator acts for; null for staff, who may act for any. */
  provider: { id: number; name: string } | null;
}

interface IdentityRow {
  id: number;
  role: Role;
  name: string;
  provider_id: number | null;
  provider_name: string | null;
}

/** The columns that {@link identityOf} takes; `t` is the token, `p` its provider. */
export const identityColumns = 't.id, t.role, t.name, t.provider_id, p.name as provider_name';

export function identityOf(row: IdentityRow): Identity {
  const { id, role, name, provider_id, provider_name } = row;
  return {
    tokenId: id,
    role,
    name,
    provider: provider_id === null ? null : { id: provider_id, name: provider_name ?? '' },
  };
}

/** Whose token this is; undefined where it is unknown or revoked. */
export async function findToken(db: Queryable, token: string): Promise<Identity | undefined> {
  const { rows } = await db.query<IdentityRow>(
    `select ${identityColumns}
     from access_token t left join provider p on p.id = t.provider_id
     where t.token_sha256 = $1 and t.revoked_at is null`,
    [secretDigest(token)],
  );
  return rows[0] && identityOf(rows[0]);
}

/**
 * Makes a token, which is shown this once: only its hash is stored.
 * @param owner the provider that an operator acts for, created where the name is new; nothing for staff
 * @param token the token to store instead of a random one; for the demo only
 */
export async function createToken(
  database: Database,
  owner: { role: 'operator'; provider: string } | { role: 'staff' },
  name: string,
  actor: Actor,
  token = generateSecret('t'),
): Promise<string> {
  await database.transaction(async (connection) => {
    const providerId =
      owner.role === 'operator' ? await describeProvider(connection, { name: owner.provider }) : null;
    const { rows } = await connection.query<{ id: number }>(
      `insert into access_token (role, provider_id, name, token_sha256, hint)
       values ($1, $2, $3, $4, $5)
       on conflict (token_sha256) do nothing
       returning id`,
      [owner.role, providerId, name, secretDigest(token), secretHint(token)],
    );
    if (rows[0]) {
      await record(connection, actor, {
        action: 'token_created',
        providerId,
        details: { token_id: rows[0].id, role: owner.role, name },
      });
    }
  });
  return token;
}

export interface ListedToken {
  id: number;
  role: Role;
  provider: string | null;
  name: string;
  hint: string;
  created_at: Date;
  revoked_at: Date | null;
}

export async function listTokens(db: Queryable): Promise<ListedToken[]> {
  const { rows } = await db.query<ListedToken>(
    `select t.id, t.role, p.name as provider, t.name, t.hint, t.created_at, t.revoked_at
     from access_token t left join provider p on p.id = t.provider_id
     order by t.role desc, lower(p.name), t.id`,
  );
  return rows;
}

/**
 * Ends a token, and with it every session that was begun with it.
 * @throws CovermapError `token_unknown`
 */
export async function revokeToken(database: Database, id: number, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    const { rows } = await connection.query<{ provider_id: number | null; name: string }>(
      `update access_token set revoked_at = coalesce(revoked_at, now()) where id = $1
       returning provider_id, name`,
      [id],
    );
    if (!rows[0]) {
      throw new CovermapError(
        'token_unknown',
        `There is no token number ${id}.`,
        'The numbers are in: npm run admin -- token list',
      );
    }
    await record(connection, actor, {
      action: 'token_revoked',
      providerId: rows[0].provider_id,
      details: { token_id: id, name: rows[0].name },
    });
  });
}
