import type { Database } from '../platform/database/database.ts';
import { type Address, addressesByReference, type Missing, nearestAddress } from './address.ts';
import type { Found, Matched } from './found.ts';

export type AddressFinder = Awaited<ReturnType<typeof openAddressFinder>>;

/** Max characters of a text that is searched for: an address of an invoice on five lines has fewer. */
export const maxTextLength = 300;

/** Finds addresses of the list by text, id and position. @param database of lookups @param notifier of imports: not a replica */
export async function openAddressFinder(database: Database, notifier: Database = database) {
  void notifier;
  return {
    /** True where no list was imported. */
    get isEmpty(): boolean {
      return true;
    },
    /** Addresses, streets, suburbs and towns that a text, as somebody types it, may mean: best first. @param near prefers what is near that position */
    async search(
      _text: string,
      _options: { limit: number; near?: { lat: number; lng: number } | undefined },
    ): Promise<Found[]> {
      return [];
    },
    /** The address that a whole text says, or candidates. */
    async match(_text: string): Promise<Matched> {
      return { address: undefined, candidates: [] };
    },
    /** The address of an id of the list, or of `system:id`. */
    async byReference(reference: string): Promise<Address | Missing> {
      return (await addressesByReference(database, [reference]))[0] as Address | Missing;
    },
    /** The nearest address to a position in degrees. */
    nearest: (lat: number, lng: number) => nearestAddress(database, lat, lng),
    async close(): Promise<void> {},
  };
}
