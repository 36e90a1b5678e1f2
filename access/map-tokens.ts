import { timingSafeEqual } from 'node:crypto';
import type { ServiceSecret } from './service-secret.ts';

/** A page asks for another when it expires. Few pages stay open longer, and a token is worth little to others. */
const ttlMs = 15 * 60_000;

/** Tokens of the public map for its lookups, each for one caller's address: when it expires, and a code that every process can check. */
export function mapTokens(secret: ServiceSecret, now: () => Date) {
  const codeOf = (expires: string, caller: string) => secret.sign('map lookup', `${expires} ${caller}`);
  return {
    give(caller: string): string {
      const expires = String(now().getTime() + ttlMs);
      return `${expires}.${codeOf(expires, caller)}`;
    },
    isValid(token: string, caller: string): boolean {
      const [expires = '', code = ''] = token.split('.', 2);
      if (!/^\d{1,15}$/.test(expires) || Number(expires) <= now().getTime()) return false;
      const [given, right] = [Buffer.from(code), Buffer.from(codeOf(expires, caller))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
