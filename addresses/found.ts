/* What a search for an address finds. */

/**
 * How sure it is that a text means what was found. `exact`: every part of the text says this address, and no other address is said by it. `street`: the
 * street is sure, its number is missing in the text or in the list. `uncertain`: something was corrected, left over, or fits several addresses.
 */
export const matches = ['exact', 'street', 'uncertain'] as const;
export type Match = (typeof matches)[number];

/** The kinds of what is found: an address has an id, the others are places of a map. */
export const foundKinds = ['address', 'street', 'suburb', 'town'] as const;

export interface Found {
  kind: (typeof foundKinds)[number];
  /** Of an address; null for other places. */
  id: string | null;
  /** On one line. */
  text: string;
  /** Degrees of WGS 84. Of a street, a suburb or a town, the middle of its addresses. */
  lat: number;
  lng: number;
  match: Match;
  /** From 0 to 1: the share of the text that agrees. */
  score: number;
}

/** A text and the address that it says. */
export type FoundAddress = Found & { kind: 'address'; id: string };

/** The result of matching a whole text. `address` is set only where it is exact. */
export interface Matched {
  address: FoundAddress | undefined;
  /** The most likely ones, best first. */
  candidates: Found[];
}
