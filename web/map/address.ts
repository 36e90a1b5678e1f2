import type { Position } from '../shared/position.ts';

/** The view in the page's address, behind `#`: the map's position, chosen places, outlined areas. */
export interface ViewAddress {
  centre: Position | undefined;
  zoom: number | undefined;
  at: Position | undefined;
  /** The second place of a comparison. */
  beside: Position | undefined;
  /** Names of technologies. */
  shown: string[];
  provider: string;
  planned: boolean;
}

/** @param hash as in `#map=12/-36.9/174.8&at=-36.9027,174.8076&beside=-41.29,174.78&with=fibre&of=Kauri+Fibre&planned` */
export function readAddress(hash: string): ViewAddress {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const [zoom, lat, lng] = (values.get('map') ?? '').split('/').map(Number);
  const place = (name: string) => {
    const [lat, lng] = (values.get(name) ?? '').split(',').map(Number);
    return position(lat, lng);
  };
  // A link without one of the places shows the other.
  const [at, beside] = ['at', 'beside'].map(place).filter((one) => one !== undefined);
  return {
    centre: position(lat, lng),
    zoom: zoom !== undefined && zoom > 0 && zoom <= 24 ? zoom : undefined,
    at,
    beside,
    shown: (values.get('with') ?? '').split(',').filter((name) => /^[a-z0-9_]+$/.test(name)),
    provider: values.get('of') ?? '',
    planned: values.has('planned'),
  };
}

export function writeAddress({ centre, zoom, at, beside, shown, provider, planned }: ViewAddress): string {
  const parts = [
    centre && `map=${zoom ?? 5}/${centre.lat}/${centre.lng}`,
    at && `at=${at.lat},${at.lng}`,
    beside && `beside=${beside.lat},${beside.lng}`,
    shown.length > 0 && `with=${shown.join(',')}`,
    provider && new URLSearchParams({ of: provider }).toString(),
    planned && 'planned',
  ].filter(Boolean);
  return `#${parts.join('&')}`;
}

/** A link from elsewhere, before `#`. */
export interface Link {
  /** The id of an address, or that of another system as `system:id`. */
  address: string | undefined;
  /** A position as `<lat>,<lng>`, unread. */
  at: string | undefined;
  /** How the link calls the position: anybody's text. */
  called: string | undefined;
}

/** Characters of a title that a link may give. */
const maxCalled = 120;

/** @param search as in `?address=1234567`, or `?at=-36.9027,174.8076&called=2/14+Rata+Street` */
export function readLink(search: string): Link {
  const values = new URLSearchParams(search);
  const called = (values.get('called') ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return {
    address: values.get('address') || undefined,
    at: values.get('at') ?? undefined,
    called: [...called].slice(0, maxCalled).join('') || undefined,
  };
}

/** The beginning of an address that shows a known place by its title. */
export function writeLink(known: Pick<Link, 'address' | 'called'>): string {
  const values = Object.entries(known).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return values.length > 0 ? `/?${new URLSearchParams(values)}` : '/';
}

function position(lat: number | undefined, lng: number | undefined): Position | undefined {
  if (lat === undefined || lng === undefined) return undefined;
  const isOne = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isOne ? { lat, lng } : undefined;
}
