/* Lists of made-up addresses in the form of LINZ's "NZ Addresses" since March 2026, as CSV. */

export interface RoadName {
  /** `Rata`, `The Terrace`; `1` of a highway. */
  name: string;
  /** `Street`, `State Highway`, `Te Ara`; empty where it has none. */
  type: string;
  /** `East`; mostly empty. */
  suffix: string;
}

/** A row of the list. */
export interface ListedAddress {
  id: number;
  /** A road has the same one in each suburb that it crosses. */
  roadId: number;
  unit: string;
  number: number;
  /** The letter after the number. */
  suffix: string;
  /** The end of a range of numbers; empty where there is one number. */
  high: number | '';
  road: RoadName;
  suburb: string;
  town: string;
  authority: string;
  /** Degrees of WGS 84. */
  lng: number;
  lat: number;
  lifecycle?: 'Current' | 'Proposed';
  isLand?: boolean;
}

const columns =
  'WKT,address_id,road_id,full_address_number,full_road_name,full_address,territorial_authority,unit,address_number,address_number_suffix,address_number_high,road_name,road_name_type,road_name_suffix,suburb_locality,town_city,is_land,address_lifecycle,full_road_name_ascii,full_address_ascii,territorial_authority_ascii,road_name_ascii,suburb_locality_ascii,town_city_ascii,shape_X,shape_Y';
export const listHeader = `${columns}\n`;
export const changesHeader = `__change__,${columns}\n`;

/** What precedes the road: `2/14A`, `979-993`. */
export const labelOf = ({
  unit,
  number,
  suffix,
  high,
}: Pick<ListedAddress, 'unit' | 'number' | 'suffix' | 'high'>): string =>
  `${unit && `${unit}/`}${number}${suffix}${high && `-${high}`}`;

/** The types that precede the name: `State Highway 1`, `Te Ara Kawau`. */
const before = ['State Highway', 'Te Ara'];

export const fullRoadName = ({ name, type, suffix }: RoadName): string =>
  (before.includes(type) ? [type, name, suffix] : [name, type, suffix]).filter(Boolean).join(' ');

/** On one line, without a town that is named like the suburb. */
export function fullAddress(address: ListedAddress): string {
  const { suburb, town } = address;
  const first = `${labelOf(address)} ${fullRoadName(address.road)}`;
  return [first, suburb, town === suburb ? '' : town].filter(Boolean).join(', ');
}

const field = (text: string) => (text.includes(',') ? `"${text}"` : text);
/** Without macrons. */
const ascii = (text: string) => text.normalize('NFD').replaceAll('\u0304', '');

export function listLine(address: ListedAddress): string {
  const { id, roadId, unit, number, suffix, high, road, suburb, town, authority, lng, lat } = address;
  const names = [fullRoadName(road), field(fullAddress(address)), authority];
  const places = [suburb, town];
  const values = [
    ...[`POINT (${lng} ${lat})`, id, roadId, labelOf(address), ...names],
    ...[unit, number, suffix, high, road.name, road.type, road.suffix, ...places],
    ...[address.isLand === false ? 'F' : 'T', address.lifecycle ?? 'Current'],
    ...[...names, road.name, ...places].map(ascii),
    ...[lng, lat],
  ];
  return `${values.join(',')}\n`;
}
