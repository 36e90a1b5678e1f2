import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Actor, Identity } from './actor.ts';
import { record } from './audit.ts';
import { generateSecret, secretDigest } from './secrets.ts';
import { identityColumns, identityJoins, tokenIsActive } from './tokens.ts';

const sessionHours = 12;

export type Session = { identity: Identity; expiresAt: Date };

/** Begins a session for a browser that presented an active token. @returns with `secret`, which the browser sends */
export async function beginSession(database: Database, identity: Identity, address: string | undefined) {
  const secret = generateSecret('s');
  const expiresAt = new Date(Math.min(Date.now() + sessionHours * 3_600_000, identity.expiresAt.getTime()));
  await database.transaction(async (connection) => {
    await connection.query('delete from session where expires_at < now()');
    await connection.query(sql`
      insert into session (session_sha256, token_id, expires_at)
      values (${secretDigest(secret)}, ${identity.tokenId}, ${expiresAt})`);
    const actor: Actor = { kind: identity.role, name: identity.name, tokenId: identity.tokenId, address };
    await record(connection, actor, {
      action: 'signed_in',
      providerId: identity.provider?.id,
      customerId: identity.customer?.id,
    });
  });
  return { identity, expiresAt, secret };
}

/** The session with this secret, unless it has ended or its token is no longer active. */
export async function findSession(db: Queryable, secret: string): Promise<Session | undefined> {
  const { rows } = await db.query<Identity & { session_expires_at: Date }>(sql`
    select ${identityColumns}, s.expires_at as session_expires_at
    from session s
    join access_token t on t.id = s.token_id and ${tokenIsActive}
    ${identityJoins}
    where s.session_sha256 = ${secretDigest(secret)} and s.expires_at > now()`);
  if (!rows[0]) return undefined;
  const { session_expires_at: expiresAt, ...identity } = rows[0];
  return { identity, expiresAt };
}

export async function endSession(db: Queryable, secret: string): Promise<void> {
  await db.query(sql`delete from session where session_sha256 = ${secretDigest(secret)}`);
}
