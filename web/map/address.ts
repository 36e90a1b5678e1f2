import type { Position } from './position.ts';

/** The view in the page's address, behind `#`: where the map is, the places that are looked at, the layers that are off. */
export interface ViewAddress {
  centre: Position | undefined;
  zoom: number | undefined;
  at: Position | undefined;
  /** Beside the first, to compare them. */
  beside: Position | undefined;
  hidden: string[];
}

/** @param hash as in `#map=12/-36.9/174.8&at=-36.9027,174.8076&beside=-41.29,174.78&without=adsl` */
export function readAddress(hash: string): ViewAddress {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const [zoom, lat, lng] = (values.get('map') ?? '').split('/').map(Number);
  const place = (name: string) => {
    const [lat, lng] = (values.get(name) ?? '').split(',').map(Number);
    return position(lat, lng);
  };
  return {
    centre: position(lat, lng),
    zoom: zoom !== undefined && zoom > 0 && zoom <= 24 ? zoom : undefined,
    at: place('at'),
    beside: place('beside'),
    hidden: (values.get('without') ?? '').split(',').filter((name) => /^[a-z0-9_]+$/.test(name)),
  };
}

export function writeAddress({ centre, zoom, at, beside, hidden }: ViewAddress): string {
  const parts = [
    centre && `map=${zoom ?? 5}/${centre.lat}/${centre.lng}`,
    at && `at=${at.lat},${at.lng}`,
    beside && `beside=${beside.lat},${beside.lng}`,
    hidden.length > 0 && `without=${hidden.join(',')}`,
  ].filter(Boolean);
  return `#${parts.join('&')}`;
}

function position(lat: number | undefined, lng: number | undefined): Position | undefined {
  if (lat === undefined || lng === undefined) return undefined;
  const isOne = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isOne ? { lat, lng } : undefined;
}
