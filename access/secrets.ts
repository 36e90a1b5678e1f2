import { hash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { time } from '../platform/schemas.ts';

/** Secrets begin with this and a letter for their kind, so that people and leak scanners recognise them. */
const mark = 'cv';
const length = 40;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `m`: an API key, `t`: a token of an operator or of staff, `s`: a session. */
export type SecretKind = 'm' | 't' | 's';

/** A new secret: the prefix and 40 random letters and digits (238 bits). */
export const generateSecret = (kind: SecretKind): string =>
  mark + kind + Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** The stored form of a secret. With this many random bits, a plain SHA-256 cannot be reversed. */
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export const secretState = z.enum(['active', 'expiring', 'expired', 'revoked']);

export const secretFields = {
  id: z.int(),
  hint: z.string().describe('The first characters of the secret.'),
  created_at: time(),
  revoked_at: time().nullable(),
};

/** The first characters of a secret, by which people recognise it. */
export const secretHint = (secret: string) => (secret.length > 12 ? `${secret.slice(0, 7)}...` : secret);
