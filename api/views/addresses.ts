import type { z } from 'zod';
import type { Address, Missing } from '../../addresses/address.ts';
import type { Found } from '../../addresses/found.ts';
import { decimalText } from '../../coverage/lookup/position.ts';
import type { AddressView, AnsweredAddress, FoundPlace } from '../schemas/addresses.ts';

/* Addresses as they are answered. */

/** Stored positions have this many decimals. */
const decimals = 7;

/** A position as texts of plain decimals. */
export const locationOf = ({ lat, lng }: Record<'lat' | 'lng', number>) => ({
  lat: decimalOf(lat),
  lng: decimalOf(lng),
});

const decimalOf = (degrees: number) => decimalText(Number(degrees.toFixed(decimals)));

export const foundView = ({ kind, id, text, match, score, ...at }: Found): z.input<typeof FoundPlace> => ({
  ...{ kind, id, text, location: locationOf(at), match, score },
});

/** @param aliases its ids in other systems, by system */
export function addressView(
  address: Address,
  aliases: Record<string, string[]>,
): z.input<typeof AddressView> {
  const { id, text, label, road, suburb, town, authority, postcode } = address;
  return { id, text, location: locationOf(address), label, road, suburb, town, authority, postcode, aliases };
}

/** An address that was asked for by its id. */
export const byReference = ({ id, text }: Pick<Address, 'id' | 'text'>): z.input<typeof AnsweredAddress> => ({
  ...{ id, text, match: 'exact', score: 1 },
});

/** Why an id names no address. */
export const missingAddress: Record<Missing, string> = {
  unknown: 'No address has this ID. Search for it: GET /api/2.0/addresses?q=<text>.',
  gone: 'This address is no longer in the list of addresses. Search for it: GET /api/2.0/addresses?q=<text>.',
};
