import { request } from './api.ts';
import type { Place } from './navigation.ts';

/** How many files of towers wait for staff, for the navigation. */
export const waitingTowers: NonNullable<Place['count']> = {
  of: 'tower file',
  ask: async () => (await request<{ count: number }>('GET', '/api/staff/tower-work?limit=1')).count,
};
