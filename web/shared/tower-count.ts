import { api } from './client.ts';
import type { Place } from './ui/navigation.tsx';

/** For the navigation. */
export const waitingTowers: NonNullable<Place['count']> = {
  of: 'tower file',
  ask: async () => (await api.get('/api/staff/tower-work', { query: { limit: 1 } })).count,
};
