import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** The purpose of a code. A code is invalid for any other. */
type Purpose = 'lookup tag' | 'map lookup';

/** Makes codes that nobody can make or check without the secret of the service. */
export interface ServiceSecret {
  /** The code of a text: the same in every process. */
  sign(purpose: Purpose, text: string): string;
}

const secretBytes = 32;

/** Reads the secret of the service, which all processes share; the first one makes it. @param db not a replica */
export async function openServiceSecret(db: Queryable): Promise<ServiceSecret> {
  await db.query(sql`
    insert into service_secret (secret) values (${randomBytes(secretBytes)}) on conflict do nothing`);
  const { rows } = await db.query<{ secret: Uint8Array }>(sql`select secret from service_secret`);
  return secretOf((rows[0] as { secret: Uint8Array }).secret);
}

/** @param secret random bytes */
export function secretOf(secret: Uint8Array): ServiceSecret {
  const key = createSecretKey(secret);
  return {
    sign: (purpose, text) => createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url'),
  };
}
