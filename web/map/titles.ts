import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { MapLookup } from '../shared/map/lookup.ts';
import { type Position, parsePosition } from '../shared/position.ts';
import { readLink, writeLink } from './address.ts';
import type { KnownAddress } from './choices.ts';

const keyOf = ({ lat, lng }: Position) => `${lat},${lng}`;

/** Why an address of a link is not shown, by the status of the answer. */
const missing: Record<number, string> = {
  404: 'The address of this link is not in the list. Search for it.',
  410: 'The address of this link is no longer in the list of addresses. Search for it.',
};

/** The titles of positions: of those that were found by an address, and of one that a link from elsewhere names. */
export function useTitles(lookUp: MapLookup) {
  const titles = useSignal<ReadonlyMap<string, KnownAddress>>(new Map());
  /** True while the link of the page's address is not shown: the page's address then keeps it. */
  const isPending = useRef(false);
  const at = (position: Position | undefined) => position && titles.value.get(keyOf(position));
  const learn = (position: Position, title: KnownAddress) => {
    titles.value = new Map([...titles.value, [keyOf(position), title]]);
  };
  return {
    at,
    learn,
    /** Called when somebody chooses another place. */
    leaveLink(): void {
      isPending.current = false;
    },
    /** The beginning of the page's address, before `#`, where this position is shown. */
    link(position: Position | undefined): string {
      if (isPending.current) return `/${location.search}`;
      const title = position && titles.peek().get(keyOf(position));
      return writeLink({ address: title?.id, called: title?.id ? undefined : title?.text });
    },
    /**
     * Reads the link of the page's address. @param shown the position behind `#`
     * @returns the position that the link names, if it names another one @throws Error with a sentence for the visitor
     */
    async readLink(shown: Position | undefined): Promise<Position | undefined> {
      const { address, at: asked, called } = readLink(location.search);
      const position = asked === undefined ? shown : parsePosition(asked);
      if (asked !== undefined && !position)
        throw new Error('The link has no position that can be read. Search for the place.');
      if (position && called) learn(position, { text: called });
      isPending.current = address !== undefined && at(shown) === undefined;
      if (address === undefined || !isPending.current) return position === shown ? undefined : position;
      const found = await lookUp.address(address).catch(({ status }) => {
        throw new Error(
          missing[status] ?? 'The address of this link could not be looked up. Reload the page to try again.',
        );
      });
      const there = { lat: Number(found.location.lat), lng: Number(found.location.lng) };
      // Somebody may have chosen another place meanwhile.
      if (!isPending.current) return undefined;
      isPending.current = false;
      learn(there, { id: found.id, text: found.text });
      return there;
    },
  };
}
