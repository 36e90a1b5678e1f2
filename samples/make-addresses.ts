import { type ListedAddress, listHeader, listLine, type RoadName } from '@covermap/testing/linz.ts';
import { Random } from '@covermap/testing/random.ts';
import { zip } from '@covermap/testing/zip.ts';

/*
 * The list of addresses of the demo, in LINZ's form. Towns are real; suburbs, roads, numbers and points are made up, with what makes finding hard: one
 * road in five suburbs, Road beside Street beside Lane, units, ranges, highways, macrons, suburbs that are named like towns.
 */

/** Roads by name, each with its numbers as {@link numbersOf} reads them. */
type Roads = Record<string, string>;
interface Place {
  suburb: string;
  /** Kilometres from the town's middle. */
  east: number;
  north: number;
  roads: Roads;
  /** How many roads of {@link commonRoads} it has besides. */
  more?: number;
}
interface Town {
  town: string;
  authority: string;
  lng: number;
  lat: number;
  places: Place[];
}

const country: Town[] = [
  {
    ...{ town: 'Auckland', authority: 'Auckland', lng: 174.8075834, lat: -36.9026834 },
    places: [
      {
        ...{ suburb: 'Harbourview', east: 0, north: 0, more: 2 },
        roads: {
          'Harbourview Road': '1..24',
          'Rata Street': '1..20, 14A, 14B, 1/16, 2/16, 3/16',
          'Matai Road': '1..20, 7A, 7B',
          'Matai Street': '1..20, 1/8, 2/8',
          'Matai Lane': '1..9',
          'Matai Place': '2..7',
          'Queens Parade':
            '30..52, 101..110/40, 201..210/40, 301..310/40, 401..410/40, 501..510/40, 601..610/40',
          'Wharf Street': '2, 4, 8, 14-16, 20-26, 31, 1/33, 2/33, 33A',
          'Hamilton Road': '1..18, 2/11, 3/11',
          'Te Ara Kawau': '1..12',
        },
      },
      {
        ...{ suburb: 'Kōwhai Park', east: 2.5, north: 1.5, more: 2 },
        roads: {
          'Rata Street': '1..16, 1/14, 2/14',
          'Kōwhai Street': '1..15',
          'Kowhai Road': '1..15',
          'Upper Rangi Street': '1..14',
          'Rangi Street': '1..30, 12A, 12B, 12C',
          'Rangi Street East': '1..14',
          'Rangi Street North': '2..9',
        },
      },
      {
        ...{ suburb: 'Mount Rangi', east: -3, north: 2, more: 2 },
        roads: {
          'Rata Street': '2..18, 14A',
          'Mount Rangi Road': '1..48, 1/21, 2/21, 3/21, 4/21',
          'Rangi Street': '2..12',
          'St Leonards Street': '1..22',
          'Saint Hubert Road': '3..12',
          'Stable Street': '1..9',
        },
      },
      {
        ...{ suburb: 'Ātārangi', east: -4, north: -2, more: 2 },
        roads: {
          'Rata Street': '1..12, 1/7, 2/7',
          'Pātaka Street': '1..18',
          'Ātārangi Road': '1..40, 1/22, 2/22, 22A',
          "O'Neill Street": '1..16, 9A',
          'Tūāpapa Place': '1..10',
        },
      },
      {
        ...{ suburb: 'Stoneleigh', east: 3, north: -3, more: 2 },
        roads: {
          'Rata Street': '5..25, 1/14, 2/14, 3/14',
          'Eastmere Road': '1..14',
          Broadway: '20..44, 1/28, 2/28',
          'Stoneleigh Close': '1..8',
        },
      },
      {
        ...{ suburb: 'Eastmere', east: 4.5, north: 0.5, more: 2 },
        roads: {
          'Rata Road': '1..16',
          'Rata Lane': '1..6',
          'Pataka Street': '1..18',
          'Eastmere Road': '15..60, 1/30, 2/30',
          'Point England Esplanade': '1..11',
          'Ōrere Crescent': '1..21',
        },
      },
      {
        ...{ suburb: 'St Clement', east: 1, north: 4, more: 2 },
        roads: {
          'St Clement Street': '1..20, 2/5',
          'The Terrace': '1..12',
          'Nelson Street': '1..20',
          'Richmond Road': '10..40',
        },
      },
      {
        ...{ suburb: 'Pūriri Bay', east: 9.5, north: 6, more: 2 },
        roads: { 'Bay Road': '1..25', 'Pūriri Bay Road': '100..140', 'Te Ara Tuatea': '1..8' },
      },
    ],
  },
  {
    ...{ town: 'Kaihere', authority: 'Auckland', lng: 174.52, lat: -36.71 },
    places: [
      {
        ...{ suburb: 'Kaihere', east: 0, north: 0, more: 2 },
        roads: {
          'Station Road': '1..18',
          'State Highway 16': '1180..1390~9',
          'Kaihere-Ōmaru Road': '2..2400~45, 63A, 63B',
        },
      },
      {
        ...{ suburb: 'Ōmaru', east: -6, north: 5 },
        roads: {
          'State Highway 16': '1400..1905~12',
          'Ridge Road': '5..1420~35',
          'Ōmaru Beach Road': '1..160~4',
        },
      },
    ],
  },
  {
    ...{ town: '', authority: 'Auckland', lng: 174.44, lat: -36.5 },
    places: [
      {
        ...{ suburb: 'Makarau Valley', east: 0, north: 0 },
        roads: {
          'Makarau Valley Road': '10..1310~30',
          'Ridge Road': '1430..2380~35',
          'Blind Creek Road': '240..270, 7A/256, 7B/256, 8/256',
        },
      },
    ],
  },
  {
    ...{ town: 'Motukawa Island (Hokianui Island)', authority: 'Auckland', lng: 175.38, lat: -36.2 },
    places: [
      {
        ...{ suburb: 'Motukawa Island (Hokianui Island)', east: 0, north: 0 },
        roads: {
          'Shoal Road': '1..220~5',
          'Blind Creek Road': '1..310~7, 7A/251, 7B/251',
          'Wharf Road': '1..30, 1/12, 2/12',
        },
      },
    ],
  },
  {
    ...{ town: 'Whangārei', authority: 'Whangarei District', lng: 174.3223, lat: -35.7251 },
    places: [
      {
        ...{ suburb: 'Kāmara', east: 0.5, north: 0.5, more: 2 },
        roads: { 'Rata Street': '1..14', 'Bank Street': '1..40, 14-18', 'Kāmara Road': '1..28, 6/14' },
      },
      {
        ...{ suburb: 'Ōnehora', east: 2, north: -2, more: 2 },
        roads: { 'Beach Road': '1..30', 'Station Road': '2..12', 'Auckland Street': '1..12' },
      },
      {
        ...{ suburb: 'Ōpua Flat', east: -9, north: -10 },
        roads: {
          'State Highway 1': '20..1990~30, 1/1240, 2/1240, 1240',
          'Ōpua-Tarawhiti Road': '1..2390~40, 979-993',
          'State Highway 14': '300..780~25',
        },
      },
    ],
  },
  {
    ...{ town: 'Hamilton', authority: 'Hamilton City', lng: 175.2793, lat: -37.787 },
    places: [
      {
        ...{ suburb: 'Fairbrook', east: 0.5, north: 0.8, more: 2 },
        roads: {
          'Rata Street': '1..20, 14A',
          'Fairbrook Avenue': '1..26',
          'Victoria Boulevard': '100..140, 1/112, 2/112',
        },
      },
      {
        ...{ suburb: 'Hamilton East', east: 2, north: -1, more: 2 },
        roads: {
          'Grey Street': '1..40',
          'Nelson Street': '1..16',
          'Matai Street': '1..14',
          'Queens Avenue': '1..12',
        },
      },
      {
        ...{ suburb: 'Te Rātā', east: -3, north: 1, more: 2 },
        roads: { 'Te Rātā Road': '1..35', 'Hautū Drive': '1..30, 1/17, 2/17', 'Whāriki Court': '1..8' },
      },
      {
        ...{ suburb: 'Hinewai Downs', east: 8, north: -9 },
        roads: {
          'State Highway 1': '1010..1860~20, 1240',
          'State Highway 26': '10..480~18',
          'Ridge Road': '3..1190~25',
        },
      },
    ],
  },
  {
    ...{ town: 'Tauranga', authority: 'Tauranga City', lng: 176.1651, lat: -37.6878 },
    places: [
      {
        ...{ suburb: 'Mount Rangi', east: 3, north: 2, more: 2 },
        roads: {
          'Mount Rangi Road': '1..24',
          'Marine Parade': '1..60, 1/44, 2/44, 3/44, 44A',
          'The Mall': '2..16',
        },
      },
      {
        ...{ suburb: 'Pāpaka Beach', east: 6.5, north: -2, more: 2 },
        roads: { 'Pāpaka Beach Road': '200..260, 1/231, 2/231', 'Dune Way': '1..14', 'Tohorā View': '1..17' },
      },
      {
        ...{ suburb: 'Ōtū', east: -1, north: -2, more: 2 },
        roads: { 'Fifteenth Avenue': '1..30', 'Fifth Avenue': '1..30', 'Cameron Road': '800..830, 5/825' },
      },
      {
        ...{ suburb: 'Te Puke West', east: -8, north: 4 },
        roads: { 'State Highway 2': '15..1130~22', 'Te Puke West Road': '1..420~12' },
      },
    ],
  },
  {
    ...{ town: 'Rotorua', authority: 'Rotorua District', lng: 176.2497, lat: -38.1368 },
    places: [
      {
        ...{ suburb: 'Whakapūrei', east: 0.5, north: -1, more: 2 },
        roads: { 'Tāmati Street': '1..20', 'Fenwick Street': '1000..1030', 'Hīnemoana Drive': '1..25' },
      },
      {
        ...{ suburb: 'Lynwood', east: -1, north: 1, more: 2 },
        roads: {
          'Rata Street': '3..14',
          'Old Taupo Road': '1..30',
          'Lynwood Avenue': '1..18',
          'MacKenzie Road': '1..14',
        },
      },
    ],
  },
  {
    ...{ town: 'Napier', authority: 'Napier City', lng: 176.9122, lat: -39.4928 },
    places: [
      {
        ...{ suburb: 'Nelson Park', east: 0, north: 0.3, more: 2 },
        roads: { 'Marine Parade': '1..50, 12-14', 'Hastings Street': '1..30', 'Nelson Crescent': '1..12' },
      },
      {
        ...{ suburb: 'Tamatā', east: -2, north: -2, more: 2 },
        roads: { 'Gloucester Street': '1..30, 11A', 'Taradell Road': '1..25', 'Te Ara Hīkoi': '1..9' },
      },
    ],
  },
  {
    ...{ town: 'Wellington', authority: 'Wellington City', lng: 174.7762, lat: -41.2865 },
    places: [
      {
        ...{ suburb: 'Thornley', east: 0, north: 0, more: 2 },
        roads: {
          'The Terrace': '1..60, 1/50, 2/50, 3/50, 4/50',
          'Lambourn Quay': '100..140, 1/120, 2/120',
          'Ghuznee Lane': '1..9',
          'Featherston Terrace': '1..12',
        },
      },
      {
        ...{ suburb: 'Mount Albion', east: 1.5, north: -1.5, more: 2 },
        roads: {
          Broadway: '1..40',
          "O'Neill Road": '1..20',
          'Majoribanks Street': '1..30, 3/15',
          'Mount Albion Terrace': '2..12',
        },
      },
      {
        ...{ suburb: 'Kārapu', east: -3, north: 1, more: 2 },
        roads: {
          'Kārapu Road': '1..60, 1/33, 2/33',
          'Nottingham Square': '1..12',
          'Upper Glen Road': '1..9',
          'Glen Road': '1..16',
        },
      },
    ],
  },
  {
    ...{ town: 'Nelson', authority: 'Nelson City', lng: 173.284, lat: -41.2706 },
    places: [
      {
        ...{ suburb: 'Tāhuna', east: 0, north: 1, more: 2 },
        roads: { 'Rata Street': '1..18', 'Bridge Street': '1..30', 'Tāhuna Drive': '1..45, 1/20, 2/20' },
      },
      {
        ...{ suburb: 'Stokefield', east: -2.5, north: -2, more: 2 },
        roads: { 'Main Road Stokefield': '200..260', 'Songer Lane': '1..10', 'Waimārie Heights': '1..14' },
      },
    ],
  },
  {
    ...{ town: 'Richmond', authority: 'Tasman District', lng: 173.18, lat: -41.335 },
    places: [
      {
        ...{ suburb: 'Richmond', east: 0, north: 0, more: 2 },
        roads: { 'Queen Street': '1..40, 2/18', 'Salisbury Road': '1..20', 'Wensleigh Road': '1..20' },
      },
      {
        ...{ suburb: 'Appleford', east: -6, north: 2 },
        roads: { 'Moutere Ridge Highway': '10..300~15', 'State Highway 60': '40..590~25' },
      },
    ],
  },
  {
    ...{ town: 'Christchurch', authority: 'Christchurch City', lng: 172.6362, lat: -43.532 },
    places: [
      {
        ...{ suburb: 'Richmond', east: 1, north: 1, more: 2 },
        roads: {
          'Queen Street': '1..14',
          'Stanmoor Road': '100..140, 1/121, 2/121',
          'North Avon Street': '1..16',
        },
      },
      {
        ...{ suburb: 'St Aubyn', east: -1, north: 2, more: 2 },
        roads: {
          'St Aubyn Street': '1..30, 2/9',
          'Papanui Court': '1..9',
          'Dublin Street': '1..12',
          'Dublin Street West': '1..8',
        },
      },
      {
        ...{ suburb: 'Avonlea', east: 2, north: -1, more: 2 },
        roads: { 'River Road': '1..30', 'River Terrace': '1..12', 'Avonlea Drive': '1..20, 10A, 10B' },
      },
      {
        ...{ suburb: 'Yarrow Plains', east: -14, north: -2 },
        roads: {
          'State Highway 73': '900..1750~25',
          'State Highway 1': '1200..1500~20, 1240',
          'Old West Coast Road': '20..2290~55',
          'Two Chain Road': '1..900~30',
        },
      },
    ],
  },
  {
    ...{ town: 'Queenstown', authority: 'Queenstown-Lakes District', lng: 168.6626, lat: -45.0312 },
    places: [
      {
        suburb: '',
        east: 0,
        north: 0,
        more: 2,
        roads: { 'Shotover Lane': '1..15', 'Beach Street': '1..20' },
      },
      {
        ...{ suburb: 'Fernleigh', east: -2, north: 0.2, more: 2 },
        roads: { 'Fernleigh Road': '1..40, 1/27, 2/27', 'Wynyard Crescent': '1..18' },
      },
      {
        ...{ suburb: 'Gibbs Flat', east: 16, north: 2 },
        roads: { 'State Highway 6': '900..2110~28', 'Coal Pit Lane': '1..60~6' },
      },
    ],
  },
  {
    ...{ town: 'Dunedin', authority: 'Dunedin City', lng: 170.5028, lat: -45.8788 },
    places: [
      {
        ...{ suburb: 'North East Valley', east: 1.5, north: 2, more: 2 },
        roads: { 'North Road': '1..60, 2/45', 'Rata Street': '1..9', 'Chambers Street': '1..16' },
      },
      {
        ...{ suburb: 'Māori Hill', east: -0.5, north: 1, more: 2 },
        roads: { Highgate: '200..260', 'Passmore Crescent': '1..20', 'Drivers Road': '1..14' },
      },
      {
        ...{ suburb: 'St Kildare', east: 1, north: -2.5, more: 2 },
        roads: { 'Prince Albert Road': '1..40', 'Queens Drive': '1..20, 1/19, 2/19', 'Saint Street': '1..6' },
      },
    ],
  },
  {
    ...{ town: 'Invercargill', authority: 'Invercargill City', lng: 168.3538, lat: -46.4132 },
    places: [
      {
        ...{ suburb: 'Richmond', east: 1.5, north: 0.3, more: 2 },
        roads: { 'Queen Street': '20..44', 'Tay Street': '300..340', 'Elles Road North': '1..12' },
      },
      {
        ...{ suburb: 'Waikura', east: -1, north: 2, more: 2 },
        roads: { 'Dee Street': '400..440, 3/420', 'Queens Drive': '1..25', 'Bainfield Road': '1..14' },
      },
    ],
  },
];

/** What many towns have. */
const commonRoads = [
  'Acacia Place, Albert Street, Arthur Road, Beech Grove, Birch Avenue, Bligh Street, Campbell Street, Cedar Lane, Church Street, Clyde Road',
  'Cook Street, Duke Street, Elizabeth Street, Fern Avenue, George Street, Hill Road, Hinau Street, Hobson Street, Huia Road, James Street',
  'Karaka Drive, Kea Crescent, Kauri Street, King Street, Lake Road, Mānuka Road, Miro Street, Mill Lane, Oak Avenue, Park Road, Pine Street',
  'Pōhutukawa Place, Princes Street, Raukawa Street, Rewa Road, Rimu Road, Rose Street, School Road, Seddon Street, Short Street, Tainui Terrace',
  'Tawa Crescent, Tītoki Place, Tōtara Street, Tui Glen, Union Street, Vogel Street, Wairere Drive, Weka Street, Willow Avenue, York Place',
].flatMap((line) => line.split(', '));

const types =
  'Street Road Lane Place Parade Avenue Crescent Close Drive Court Way Esplanade Terrace Boulevard Quay Square View Heights Grove Glen Highway Mall'.split(
    ' ',
  );
const directions = ['East', 'West', 'North', 'South'];

/** The parts of a road's name, as LINZ has them. */
function roadOf(full: string): RoadName {
  const before = /^(State Highway|Te Ara) (.+)$/.exec(full);
  if (before) return { name: before[2] as string, type: before[1] as string, suffix: '' };
  const words = full.split(' ');
  const suffix =
    words.length > 2 && directions.includes(words.at(-1) as string) ? (words.pop() as string) : '';
  const hasType = words.length > 1 && words[0] !== 'The' && types.includes(words.at(-1) as string);
  const type = hasType ? (words.pop() as string) : '';
  return { name: words.join(' '), type, suffix };
}

type House = Pick<ListedAddress, 'unit' | 'number' | 'suffix' | 'high'>;

/** Reads numbers: `1..20` are all of them, `1..2400~40` some of them; `14A`, `2/14`, `14-16` are one; `101..110/40` are units of 40. */
function numbersOf(text: string, random: Random): House[] {
  return text.split(', ').flatMap((part): House[] => {
    const units = /^(\d+)\.\.(\d+)\/(\d+)$/.exec(part);
    if (units)
      return series(units).map((unit) => ({
        unit: String(unit),
        number: Number(units[3]),
        suffix: '',
        high: '',
      }));
    const some = /^(\d+)\.\.(\d+)(?:~(\d+))?$/.exec(part);
    if (some) {
      const step = Number(some[3] ?? 1);
      const all = series(some).filter((_, i) => i % step === 0);
      return all.map((number) => ({ unit: '', number: number + random.below(step), suffix: '', high: '' }));
    }
    const one = /^(?:(\w+)\/)?(\d+)([A-Z]?)(?:-(\d+))?$/.exec(part);
    if (!one) throw new Error(`no number: ${part}`);
    return [
      {
        unit: one[1] ?? '',
        number: Number(one[2]),
        suffix: one[3] ?? '',
        high: one[4] ? Number(one[4]) : '',
      },
    ];
  });
}

const series = ([, from, to]: RegExpExecArray) =>
  Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i);

const metresPerDegree = 111_320;

/** The rows of the list, in its order. */
export function madeAddresses(): ListedAddress[] {
  const random = new Random(20260320);
  const ids = new Random(20260321);
  const rows: ListedAddress[] = [];
  const roadIds = new Map<string, number>();
  let id = 410_000;
  for (const { town, authority, lng, lat, places } of country) {
    const perDegreeEast = metresPerDegree * Math.cos((lat * Math.PI) / 180);
    for (const { suburb, east, north, roads, more = 0 } of places) {
      const common = new Set<string>();
      while (common.size < more) common.add(random.pick(commonRoads));
      const all = [
        ...Object.entries(roads),
        ...[...common].map((road) => [road, `1..${6 + random.below(9)}`] as const),
      ];
      for (const [full, numbers] of all) {
        const road = roadOf(full);
        // A highway is one road in the whole country.
        const key = road.type === 'State Highway' ? full : `${full}, ${suburb}, ${town}`;
        const roadId = roadIds.get(key) ?? 1_810_000 + roadIds.size;
        roadIds.set(key, roadId);
        const houses = numbersOf(numbers, random);
        const isRural = houses.some(({ number }) => number > 1_050);
        const start = [
          1_000 * east + 900 * (random.next() - 0.5),
          1_000 * north + 900 * (random.next() - 0.5),
        ] as const;
        const angle = 2 * Math.PI * random.next();
        const first = Math.min(...houses.map(({ number }) => number));
        for (const house of houses) {
          id += 1 + ids.below(9);
          // Even numbers are on the other side; rural ones are tens of metres.
          const along =
            (house.number - first) * (isRural ? 10 : 9) +
            (house.suffix ? house.suffix.charCodeAt(0) - 60 : 0);
          const aside = house.number % 2 ? 14 : -14;
          const x = start[0] + along * Math.cos(angle) - aside * Math.sin(angle);
          const y = start[1] + along * Math.sin(angle) + aside * Math.cos(angle);
          const point = { lng: round(lng + x / perDegreeEast), lat: round(lat + y / metresPerDegree) };
          rows.push({ id, roadId, ...house, road, suburb, town, authority, ...point });
        }
      }
    }
  }
  return [...atTheDemo(rows), ...special(rows)];
}

/** To the centimetre. */
const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;

/** The first address is at the position that the start of the demo shows. */
function atTheDemo([first, ...rest]: ListedAddress[]): ListedAddress[] {
  return [{ ...(first as ListedAddress), lng: 174.8075834, lat: -36.9026834 }, ...rest];
}

/** An address that is listed twice, and some that an import drops: proposed ones, one on the water, one outside. */
function special(rows: ListedAddress[]): ListedAddress[] {
  const listed = (road: string, suburb: string) =>
    rows.find((row) => row.road.name === road && row.suburb === suburb) as ListedAddress;
  const [twice, planned] = [listed('Stoneleigh', 'Stoneleigh'), listed('Tohorā', 'Pāpaka Beach')];
  const [jetty, far] = [listed('Wharf', 'Harbourview'), listed('Shoal', 'Motukawa Island (Hokianui Island)')];
  const proposed = [41, 43, 45].map((number, i) => ({
    ...planned,
    id: 2_410_001 + i,
    number,
    lifecycle: 'Proposed' as const,
  }));
  return [
    { ...twice, id: 2_400_017 },
    ...proposed,
    { ...jetty, id: 2_410_010, number: 99, isLand: false },
    { ...far, id: 2_410_011, number: 999, lng: -176.55, lat: -43.95 },
  ];
}

/** The zipped CSV: the file of this folder. */
export const makeAddresses = (): Promise<Buffer> =>
  zip({ 'addresses.csv': Buffer.from(listHeader + madeAddresses().map(listLine).join('')) });
