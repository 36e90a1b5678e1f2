import type { Role } from '../access/actor.ts';
import type { KnownCode } from '../platform/error-catalogue.ts';

/* The parts of the API behind a token or a session, by their paths. `guards.ts` guards them. */

/** The callers of everything below a path. */
export interface Area {
  path: string;
  roles: Role[];
  /** The code of the error for other callers. */
  refusal: KnownCode;
}

export const areas: readonly Area[] = [
  { path: '/api/operator', roles: ['operator', 'staff'], refusal: 'operators_only' },
  { path: '/api/staff', roles: ['staff'], refusal: 'staff_only' },
  { path: '/api/account', roles: ['customer'], refusal: 'customers_only' },
];

export const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);

/** True for a path that takes a token or a session. */
export const isGuarded = (path: string) => areas.some((area) => isBelow(path, area.path));

/** True for a path with coded errors: one that takes a token or a session, or the session itself. */
export const hasCodedErrors = (path: string) => isBelow(path, '/api/session') || isGuarded(path);
