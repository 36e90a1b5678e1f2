import { fullAddress, type ListedAddress, labelOf } from '@covermap/testing/linz.ts';
import type { Random } from '@covermap/testing/random.ts';

/*
 * Addresses as people write them, with and without errors, and what such a line says by the words in it: an oracle that reads no text, as it knows how the
 * line was made.
 */

/** What is done to an address beside the habits of people. */
export const lineKinds = [
  'habits',
  'a name in front',
  'a number in front',
  'another order',
  'letters',
  'type dropped',
  'type changed',
  'suburb dropped',
  'suburb changed',
  'town dropped',
  'town changed',
  'suburb and town dropped',
  'direction dropped',
  'letter of the number dropped',
  'unit dropped',
  'unit added',
  'number not listed',
  'letters and more',
] as const;
export type LineKind = (typeof lineKinds)[number];

export interface RawLine {
  kind: LineKind;
  line: string;
  /** The address that its writer means. */
  meant: ListedAddress;
  /** The addresses that have all that the line says, by their texts. Letters that are wrong say nothing. */
  said: Set<string>;
  /** True where a part of the line says something else than what is meant, so that no address has all that it says. */
  isFalse: boolean;
}

/** The parts of an address that a line has; those that were dropped are undefined. */
interface Parts {
  unit: string;
  number: number;
  suffix: string;
  high: number | '';
  name: string;
  type: string | undefined;
  direction: string;
  suburb: string | undefined;
  town: string | undefined;
}

const abbreviations: Record<string, string[]> = {
  Street: ['St', 'St.', 'Str'],
  Road: ['Rd', 'Rd.'],
  Avenue: ['Ave', 'Av'],
  Place: ['Pl'],
  Lane: ['Ln'],
  Drive: ['Dr', 'Drv'],
  Crescent: ['Cres', 'Cr'],
  Terrace: ['Tce', 'Ter'],
  Close: ['Cl'],
  Court: ['Ct', 'Crt'],
  Grove: ['Gr', 'Grv'],
  Parade: ['Pde'],
  Esplanade: ['Esp'],
  Boulevard: ['Blvd'],
  Quay: ['Qy'],
  Square: ['Sq'],
  Heights: ['Hts'],
  Highway: ['Hwy'],
  'State Highway': ['SH', 'SH ', 'S.H. ', 'State Hwy '],
};
const types = ['Street', 'Road', 'Place', 'Lane', 'Drive', 'Avenue', 'Crescent', 'Terrace'];
const names = [
  ...[
    'Mr J Harrow',
    'Ms Aroha Ngata',
    'Kereru Bakery Ltd',
    'Attn: Accounts',
    'C/- R & T Holdings',
    'Dr. P. Singh',
  ],
  ...[
    'Nelson Plumbing',
    'Richmond Dental Ltd',
    'Queen & King',
    'Wellington Street Cafe',
    'Rata',
    'St John',
    'The Terrace Motel',
  ],
];
const numbers = [
  'PO Box 45',
  'Level 3',
  'Order 10234:',
  'L2',
  'Ph 021 555 123',
  'Ground Floor',
  'Invoice 12',
  '3 of 7',
];

/** Without macrons, in the letters that are compared. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/\bsaint\b/g, 'st')
    .replace(/\bmount\b/g, 'mt')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const partsOf = ({ unit, number, suffix, high, road, suburb, town }: ListedAddress): Parts => ({
  ...{ unit, number, suffix, high, name: road.name, type: road.type, direction: road.suffix },
  suburb: suburb === town ? undefined : suburb || undefined,
  town: town || undefined,
});

/** @param addresses of the list, without those that an import drops */
export function rawLines(addresses: readonly ListedAddress[], random: Random, count: number): RawLine[] {
  const said = oracleOf(addresses);
  const suburbs = [...new Set(addresses.map(({ suburb }) => suburb))].filter(Boolean);
  const towns = [...new Set(addresses.map(({ town }) => town))].filter(Boolean);
  const units = addresses.filter(({ unit }) => unit);
  const withPart: { [Kind in LineKind]?: ListedAddress[] } = {
    'unit dropped': units,
    'direction dropped': addresses.filter(({ road }) => road.suffix),
    'letter of the number dropped': addresses.filter(({ suffix }) => suffix),
  };
  const lines: RawLine[] = [];
  while (lines.length < count) {
    const kind = random.chance(0.3) ? 'habits' : random.pick(lineKinds);
    const meant = random.pick(withPart[kind] ?? (random.chance(0.1) ? units : addresses));
    const parts = partsOf(meant);
    const change = (one: LineKind): boolean => {
      if (one === 'type dropped') parts.type = undefined;
      else if (one === 'type changed')
        parts.type = random.pick(types.filter((type) => type !== meant.road.type));
      else if (one === 'suburb dropped') parts.suburb = undefined;
      else if (one === 'suburb changed') parts.suburb = random.pick(suburbs);
      else if (one === 'town dropped') parts.town = undefined;
      else if (one === 'town changed') parts.town = random.pick(towns);
      else if (one === 'suburb and town dropped')
        Object.assign(parts, { suburb: undefined, town: undefined });
      else if (one === 'direction dropped') parts.direction = '';
      else if (one === 'letter of the number dropped') parts.suffix = '';
      else if (one === 'unit dropped') parts.unit = '';
      else if (one === 'unit added') parts.unit = String(11 + random.below(80));
      else if (one === 'number not listed') parts.number += 2_500 + random.below(500);
      else return false;
      return true;
    };
    // A highway is nothing without its type.
    if (kind.startsWith('type') && ['State Highway', 'Te Ara', ''].includes(meant.road.type)) continue;
    if (kind === 'suburb dropped' && !(parts.suburb && parts.town)) continue;
    if (kind === 'town dropped' && !(parts.suburb && parts.town)) continue;
    change(kind);
    const hasLetters = kind.startsWith('letters');
    if (kind === 'letters and more') {
      const more = random.pick(['type dropped', 'suburb dropped', 'town dropped', 'suburb changed'] as const);
      if (more === 'type dropped' && ['State Highway', 'Te Ara', ''].includes(meant.road.type)) continue;
      change(more);
    }
    const isSame = said(parts).has(fullAddress(meant));
    const written = write(parts, random, kind);
    lines.push({
      ...{ kind, meant, said: said(hasLetters ? mistype(written.parts, parts, random) : parts) },
      line: written.line(),
      isFalse: !isSame,
    });
  }
  return lines;
}

/** Puts errors of letters into one to three names. @returns what remains to be read */
function mistype(written: Parts, parts: Parts, random: Random): Parts {
  const remaining = { ...parts };
  const names = (['name', 'suburb', 'town'] as const).filter((one) => (written[one] ?? '').length > 3);
  for (const one of names.sort(() => random.next() - 0.5).slice(0, 1 + random.below(2))) {
    const text = wrongLetters(written[one] as string, random);
    written[one] = text;
    remaining[one] = text;
  }
  return remaining;
}

function wrongLetters(text: string, random: Random): string {
  const at = 1 + random.below(text.length - 2);
  const [before, letter, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  if (/[\d ]/.test(letter + after.charAt(0))) return wrongLetters(text, random);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return random.pick([
    before + after,
    before + letter + letter + after,
    before + random.pick([...letters]) + after,
    before + after.charAt(0) + letter + after.slice(1),
  ]);
}

/** Says which addresses have all of some parts. */
function oracleOf(addresses: readonly ListedAddress[]) {
  const key = (label: string, name: string) => `${label} ${plain(name)}`;
  const byNumber = new Map<string, ListedAddress[]>();
  for (const address of addresses) {
    const one = key(labelOf(address), address.road.name);
    const others = byNumber.get(one);
    if (others) others.push(address);
    else byNumber.set(one, [address]);
  }
  return (parts: Parts): Set<string> => {
    const places = [parts.suburb, parts.town].filter((one) => one !== undefined).map(plain);
    const found = (byNumber.get(key(labelOf(parts), parts.name)) ?? []).filter((address) => {
      const { road, suburb, town, authority } = address;
      const own = [suburb, town, authority].map(plain);
      return (
        (parts.type === undefined || road.type === parts.type) &&
        road.suffix === parts.direction &&
        places.every((place) => own.includes(place))
      );
    });
    return new Set(found.map(fullAddress));
  };
}

/** Writes parts as somebody does. @returns the words, and the line that they make */
function write(parts: Parts, random: Random, kind: LineKind) {
  const vowels = random.pick(['kept', 'dropped', 'doubled'] as const);
  const words = (text: string) => {
    const short = text
      .replace(/\bMount\b/g, () => (random.chance(0.5) ? 'Mt' : 'Mount'))
      .replace(/\b(?:Saint|St)\b/g, () => random.pick(['St', 'St.', 'Saint']))
      .replace(/'/g, () => random.pick(["'", '’', '']));
    if (vowels === 'kept') return short;
    return short
      .normalize('NFD')
      .replace(/(.)\u0304/g, (_, vowel: string) => vowel + (vowels === 'doubled' ? vowel.toLowerCase() : ''));
  };
  const given: Parts = { ...parts, name: words(parts.name) };
  if (parts.suburb !== undefined) given.suburb = words(parts.suburb);
  if (parts.town !== undefined) given.town = words(parts.town);
  const line = () => {
    const number = `${given.number}${random.chance(0.3) ? given.suffix.toLowerCase() : given.suffix}`;
    const range = given.high ? `${number}${random.pick(['-', ' - ', '–'])}${given.high}` : number;
    const label = given.unit
      ? random.pick([`${given.unit}/${range}`, `Flat ${given.unit}, ${range}`, `Unit ${given.unit} ${range}`])
      : range;
    const short = random.chance(0.5)
      ? random.pick(abbreviations[given.type ?? ''] ?? [given.type ?? ''])
      : (given.type ?? '');
    const road =
      given.type === 'State Highway'
        ? `${short}${short.length > 3 && !short.endsWith(' ') ? ' ' : ''}${given.name}`
        : (given.type === 'Te Ara' ? [short, given.name] : [given.name, short])
            .concat(given.direction)
            .filter(Boolean)
            .join(' ');
    const separator = random.pick([', ', ', ', ' ', ',', '\n']);
    const rural = random.chance(0.15) ? random.pick(['RD 3', 'RD2', 'R D 1']) : '';
    const postcode = random.chance(0.3) ? ` ${1_000 + random.below(8_900)}` : '';
    const places = [given.suburb, rural, given.town && `${given.town}${postcode}`];
    const country = random.chance(0.15) ? random.pick(['NZ', 'New Zealand']) : '';
    const isOtherWay = kind === 'another order';
    const first = isOtherWay && random.chance(0.5) ? `${road} ${label}` : `${label} ${road}`;
    const inOrder = isOtherWay ? [given.town, given.suburb, first] : [first, ...places, country];
    const front = kind === 'a name in front' ? names : kind === 'a number in front' ? numbers : [''];
    const all = [random.pick(front), ...inOrder].filter(Boolean).join(separator);
    return random.pick([all, all, all.toUpperCase(), all.toLowerCase()]);
  };
  return { parts: given, line };
}
