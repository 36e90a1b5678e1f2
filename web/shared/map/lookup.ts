import type { createClient } from '../../../client/client.ts';
import type { Position } from '../position.ts';

export type MapLookup = ReturnType<typeof mapLookup>;

/**
 * Looks places up with the token of the map's settings. A token expires, and is bound to the client's IP address, which changes for a moving phone:
 * a refused lookup is repeated once with a new token.
 */
export function mapLookup(api: Pick<ReturnType<typeof createClient>, 'get'>, given: string) {
  let token = given;
  const ask = async <T>(get: (headers: { 'X-Map-Token': string }) => Promise<T>): Promise<T> => {
    try {
      return await get({ 'X-Map-Token': token });
    } catch (error) {
      if ((error as { status?: unknown }).status !== 403) throw error;
      token = (await api.get('/api/map/settings')).lookup_token;
      return get({ 'X-Map-Token': token });
    }
  };
  const queryOf = ({ lat, lng }: Position) => ({ lat: String(lat), lng: String(lng) });
  return {
    coverage: (at: Position) =>
      ask((headers) => api.get('/api/map/lookup', { query: { ...queryOf(at), orderable: '1' }, headers })),
    /** What a text may mean. @param near prefers what is near there */
    addresses: (text: string, near: Position | undefined, signal: AbortSignal) =>
      ask((headers) =>
        api.get('/api/map/addresses', {
          query: { q: text, ...(near && { near: `${near.lat},${near.lng}` }) },
          ...{ headers, signal },
        }),
      ),
    /** An address by its id, or by that of another system as `system:id`. */
    address: (address: string) =>
      ask((headers) => api.get('/api/map/addresses/{address}', { path: { address }, headers })),
    nearest: (at: Position) => ask((headers) => api.get('/api/map/nearest', { query: queryOf(at), headers })),
  };
}
