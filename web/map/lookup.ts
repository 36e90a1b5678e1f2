import type { createClient } from '../../client/client.ts';
import type { MapLookup } from '../shared/schemas.ts';
import type { Position } from './position.ts';

/**
 * Looks places up with the token of the map's settings. A token expires, and is for the address that the page was at, which changes
 * where a phone is carried: what is refused is asked once more, with another token.
 */
export function mapLookup(api: Pick<ReturnType<typeof createClient>, 'get'>, given: string) {
  let token = given;
  return async ({ lat, lng }: Position): Promise<MapLookup> => {
    const ask = () =>
      api.get('/api/map/lookup', {
        query: { lat: String(lat), lng: String(lng) },
        headers: { 'X-Map-Token': token },
      });
    try {
      return await ask();
    } catch (error) {
      if ((error as { status?: unknown }).status !== 403) throw error;
      token = (await api.get('/api/map/settings')).lookup_token;
      return ask();
    }
  };
}
