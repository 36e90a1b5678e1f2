import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  type Area,
  bandTiff,
  convert,
  geojson,
  kml,
  overlayKmz,
  type Point,
  shapefiles,
} from '@covermap/testing/formats.ts';
import { pairsOf, regularRing } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/zip.ts';
import proj4 from 'proj4';
import { makeAddresses } from './make-addresses.ts';
import { makeRegions } from './make-regions.ts';

/*
 * npm run samples: writes the files of this folder. Places are real, networks are made up. The same script makes the
 * same files, so a change to it shows as a change to them.
 */

const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';

const towns = {
  whangarei: [174.3223, -35.7251],
  auckland: [174.8075834, -36.9026834],
  hamilton: [175.2793, -37.787],
  tauranga: [176.1651, -37.6878],
  rotorua: [176.2497, -38.1368],
  napier: [176.9122, -39.4928],
  wellington: [174.7762, -41.2865],
  nelson: [173.284, -41.2706],
  christchurch: [172.6362, -43.532],
  queenstown: [168.6626, -45.0312],
  dunedin: [170.5028, -45.8788],
  invercargill: [168.3538, -46.4132],
} satisfies Record<string, [lng: number, lat: number]>;
type Town = keyof typeof towns;

/** The maker of each file, by its name. */
type Samples = Record<string, () => Promise<Buffer> | Buffer>;

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Rounds to the centimetre, as survey data is. */
const centimetres = (value: number) => Math.round(value * 100) / 100;

function metres(town: Town): [number, number] {
  const [x, y] = proj4(nztm, towns[town]);
  return [x, y];
}

/** A clockwise ring that wanders between `min` and `max` metres from the centre. */
function wanderingRing(
  [x, y]: [number, number],
  min: number,
  max: number,
  points: number,
  random: () => number,
): Point[] {
  const phases = [2, 3, 5, 9].map((waves) => ({ waves, phase: random() * 2 * Math.PI, share: random() }));
  const total = phases.reduce((sum, { share }) => sum + share, 0);
  const ring = Array.from({ length: points }, (_, i): Point => {
    const angle = (-2 * Math.PI * i) / points;
    const wave =
      phases.reduce((sum, { waves, phase, share }) => sum + share * Math.sin(waves * angle + phase), 0) /
      total;
    const radius = min + ((wave + 1) / 2) * (max - min);
    return [centimetres(x + radius * Math.cos(angle)), centimetres(y + radius * Math.sin(angle))];
  });
  return [...ring, ring[0] as Point];
}

const reversed = (ring: Point[]) => [...ring].reverse();

/** A town: a middle with the fastest service, a park in it, and suburbs around. */
function fibreTown(town: Town, size: number, random: () => number): Area[] {
  const [x, y] = metres(town);
  const middle = wanderingRing([x, y], size * 0.55, size, 240, random);
  const park = reversed(
    wanderingRing([x + size * 0.28, y - size * 0.2], size * 0.06, size * 0.1, 40, random),
  );
  const suburbs = Array.from({ length: 6 }, (_, i): Area => {
    const angle = (i / 6) * 2 * Math.PI + random();
    const centre: [number, number] = [x + Math.cos(angle) * size * 1.6, y + Math.sin(angle) * size * 1.6];
    const ring = wanderingRing(centre, size * 0.25, size * 0.5, 120, random);
    return { rings: [ring], properties: speeds(i % 2 === 0 ? [100, 300, 20, 100] : [50, 100, 10, 20]) };
  });
  return [{ rings: [middle, park], properties: speeds([300, 950, 100, 500]) }, ...suburbs];
}

function speeds([min, max, upMin, upMax]: [number, number, number, number]) {
  return { MIN_DOWN: min, MAX_DOWN: max, MIN_UP: upMin, MAX_UP: upMax };
}

/** The output of a radio planner around a site: cells of a grid that the signal reaches, joined along each row. */
function radioSite(town: Town, reach: number, cell: number, random: () => number): Area {
  const [cx, cy] = metres(town);
  const originX = Math.round(cx / cell) * cell;
  const originY = Math.round(cy / cell) * cell;
  const shadows = Array.from({ length: 3 }, () => ({
    angle: random() * 2 * Math.PI,
    width: 0.1 + random() * 0.15,
    from: 0.3 + random() * 0.3,
  }));
  const reached = (column: number, row: number) => {
    const distance = Math.hypot(column, row) * cell;
    const angle = (Math.atan2(row, column) + 2 * Math.PI) % (2 * Math.PI);
    const inShadow = shadows.some(
      (shadow) => Math.abs(angle - shadow.angle) < shadow.width && distance > reach * shadow.from,
    );
    return distance < reach * (0.85 + 0.15 * Math.sin(5 * angle)) && !inShadow;
  };
  const cells = Math.ceil(reach / cell);
  const rings: Point[][] = [];
  for (let row = -cells; row <= cells; row++) {
    for (let column = -cells; column <= cells; column++) {
      if (!reached(column, row)) continue;
      let end = column;
      while (reached(end + 1, row)) end++;
      const [left, right] = [originX + column * cell, originX + (end + 1) * cell];
      const [bottom, top] = [originY + row * cell, originY + (row + 1) * cell];
      rings.push([
        [left, bottom],
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ]);
      column = end;
    }
  }
  return { rings, apart: true };
}

function shapefileSamples(): Samples {
  const random = randomNumbers(20260101);
  return {
    'fibre-north.zip': () =>
      shapefiles({
        auckland: fibreTown('auckland', 9000, random),
        hamilton: fibreTown('hamilton', 4500, random),
        tauranga: fibreTown('tauranga', 4500, random),
        rotorua: fibreTown('rotorua', 3000, random),
      }),
    'fibre-south.zip': () =>
      shapefiles({
        fibre_south: (['nelson', 'christchurch', 'dunedin', 'invercargill'] as const).flatMap((town) =>
          fibreTown(town, 4000, random),
        ),
      }),
    'wireless.zip': () =>
      shapefiles({
        coverage: (
          ['auckland', 'hamilton', 'napier', 'wellington', 'christchurch', 'queenstown'] as const
        ).map((town) => radioSite(town, 14_000, 250, random)),
      }),
    'fibre-planned.zip': () =>
      shapefiles({
        planned: (['whangarei', 'wellington'] as const).map((town) => ({
          rings: [wanderingRing(metres(town), 2500, 5000, 240, random)],
        })),
      }),
  };
}

const inDegrees = ([x, y]: Point): Point => {
  const [lng, lat] = proj4(nztm).inverse([x, y]);
  return [Math.round(lng * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7];
};

/** Counter-clockwise in degrees, as outer rings of GeoJSON and KML are. */
function ringInDegrees(town: Town, min: number, max: number, random: () => number): Point[] {
  return reversed(wanderingRing(metres(town), min, max, 90, random)).map(inDegrees);
}

/** The strength of a signal on a grid around a town: -50 dBm in the middle, weaker with the distance and behind hills. */
function signal(size: number, random: () => number): Float32Array {
  const hills = Array.from({ length: 6 }, () => [random() * size, random() * size] as const);
  return Float32Array.from({ length: size * size }, (_, i) => {
    const [x, y] = [i % size, Math.floor(i / size)];
    const distance = Math.hypot(x - size / 2, y - size / 2) / (size / 2);
    const shade = hills.reduce(
      (sum, [hx, hy]) => sum + 14 * Math.exp(-((x - hx) ** 2 + (y - hy) ** 2) / 90),
      0,
    );
    const dbm = -50 - 55 * distance - shade;
    return dbm < -110 ? -9999 : dbm;
  });
}

function otherFormats(): Samples {
  const random = randomNumbers(20260102);
  const town = (name: Town, properties: Area['properties'] = {}, size = 3500): Area => ({
    rings: [reversed(wanderingRing(metres(name), size * 0.6, size, 90, random))],
    properties,
  });
  const vdsl = geojson(
    [town('napier', { maxdown: 70, maxup: 20 }), town('rotorua', { maxdown: 50, maxup: 10 })],
    2193,
  );
  const cable = geojson(
    [
      town('wellington', { download_mbps: '1 Gbps', upload_mbps: 100 }),
      town('christchurch', { download_mbps: '900', upload_mbps: 100 }),
    ],
    2193,
  );
  const adsl: Area[] = (['whangarei', 'queenstown', 'invercargill'] as const).map((name) => ({
    rings: [ringInDegrees(name, 5000, 9000, random)],
    properties: { exchange: name, speed: '24/1' },
  }));
  const planned = geojson(
    [
      town('nelson', { TECH: 'FTTH', STATE: 'Planned', READY: '2027-06-30', DL: 900, UL: 500 }, 6000),
      town('nelson', { TECH: 'Fixed wireless', STATE: 'Live', READY: '', DL: 100, UL: 20 }, 9000),
    ],
    2193,
  );
  const copper = geojson([town('dunedin', { down_kbps: 15000, up_kbps: 1000 }, 8000)], 2193);
  const strong: Area[] = (['hamilton', 'tauranga'] as const).map((name) => ({
    rings: [ringInDegrees(name, 3000, 4500, random), reversed(ringInDegrees(name, 500, 900, random))],
    properties: { name: `${name} centre` },
  }));
  const weak: Area[] = (['hamilton', 'tauranga'] as const).map((name) => ({
    rings: [ringInDegrees(name, 8000, 11_000, random)],
    properties: { name: `${name} surroundings` },
  }));
  const levels = (values: Float32Array) =>
    Uint8Array.from(values, (dbm) => (dbm > -75 ? 1 : dbm > -95 ? 2 : 0));
  const [tiffX, tiffY] = metres('queenstown');
  const [kmzLng, kmzLat] = towns.napier;
  return {
    'vdsl.gdb.zip': async () => zip(await convert(vdsl, 'OpenFileGDB', 'vdsl.gdb')),
    'cable.gpkg': async () => (await convert(cable, 'GPKG', 'cable.gpkg'))['cable.gpkg'] as Buffer,
    'adsl.geojson': () => geojson(adsl),
    'several.fgb': async () => (await convert(planned, 'FlatGeobuf', 'several.fgb'))['several.fgb'] as Buffer,
    'copper.tab.zip': async () => zip(await convert(copper, 'MapInfo File', 'copper.tab')),
    'wireless-areas.kml': () => kml('Kereru Wireless', { Strong: strong, Weak: weak }),
    'wireless-prediction.kmz': () =>
      overlayKmz(
        'Gannet Wireless',
        {
          width: 160,
          height: 160,
          pixels: levels(signal(160, random)),
          colours: [
            [0, 160, 0],
            [255, 192, 0],
          ],
        },
        {
          north: kmzLat + 0.1,
          south: kmzLat - 0.1,
          east: kmzLng + 0.13,
          west: kmzLng - 0.13,
          rotation: 12,
        },
      ),
    'wireless-signal.tif': () =>
      bandTiff(signal(150, random), 150, 150, {
        x: Math.round(tiffX) - 15_000,
        y: Math.round(tiffY) + 15_000,
        pixel: 200,
      }),
  };
}

/**
 * Terrain around Nelson, hills and a bay, and a list of towers from which the demo models coverage. By name below `towers/`. The heights are made up.
 */
export function makeTowerSamples(): Record<string, Buffer> {
  const random = randomNumbers(28);
  const [cx, cy] = metres('nelson');
  const [side, pixel] = [240, 250];
  const x = Math.round(cx) - (side / 2) * pixel;
  const y = Math.round(cy) + (side / 2) * pixel;
  const waves = Array.from({ length: 8 }, (_, i) => {
    const [angle, length] = [random() * 2 * Math.PI, 24_000 / (1 + 0.8 * i)];
    return {
      east: Math.cos(angle) / length,
      north: Math.sin(angle) / length,
      phase: random(),
      size: 1 / (1 + i),
    };
  });
  const heights = Uint16Array.from({ length: side * side }, (_, i) => {
    const east = ((i % side) - side / 2 + 0.5) * pixel;
    const north = (side / 2 - Math.floor(i / side) - 0.5) * pixel;
    const wave = waves.reduce(
      (sum, one) =>
        sum + one.size * Math.sin(2 * Math.PI * (one.east * east + one.north * north + one.phase)),
      0,
    );
    // The sea in the north-west, ranges in the south-east.
    return Math.round(Math.min(1_700, Math.max(0, 0.012 * (east - north) + 40 + 170 * wave)));
  });
  const towers = [
    ['Princes Hill', -1_500, -2_500, 30, 0, 360],
    ['Richmond east', -9_000, -9_500, 25, 330, 90],
    ['Richmond west', -9_000, -9_500, 25, 210, 90],
    ['Atawhai', 4_500, 5_000, 20, 270, 120],
  ] as const;
  const rows = towers.map(([name, east, north, height, azimuth, width]) => {
    const [lng, lat] = proj4(nztm, 'WGS84', [cx + east, cy + north]) as [number, number];
    return [name, lat.toFixed(5), lng.toFixed(5), height, azimuth, width, 40, 15, 3500].join(',');
  });
  const columns = 'name,lat,lng,height_m,azimuth_deg,beam_width_deg,power_dbm,gain_dbi,frequency_mhz';
  return {
    'nelson.csv': Buffer.from(`${[columns, ...rows].join('\n')}\n`),
    'terrain/nelson.tif': bandTiff(heights, side, side, { x, y, pixel }),
  };
}

/**
 * Two versions of wireless in suburbs of the sample addresses, for the folder `review`: the second one leaves out St Clement and is slower in Stoneleigh,
 * so that it waits for a review.
 */
export function makeReviewSamples(): Record<string, Buffer> {
  const [cx, cy] = metres('auckland');
  const site = (name: string, east: number, north: number, speed: number) => ({
    type: 'Feature',
    properties: { name, maxdown: speed, maxup: speed / 5 },
    geometry: {
      type: 'Polygon',
      coordinates: [pairsOf(regularRing(cx + 1000 * east, cy + 1000 * north, 1300, 48)).map(inDegrees)],
    },
  });
  const file = (features: object[]) =>
    Buffer.from(`${JSON.stringify({ type: 'FeatureCollection', features })}\n`);
  const kept = [site('Kōwhai Park', 2.5, 1.5, 100), site('Eastmere', 4.5, 0.5, 100)];
  return {
    'wireless-2026-10.geojson': file([
      ...kept,
      site('Stoneleigh', 3, -3, 100),
      site('St Clement', 1, 4, 100),
    ]),
    'wireless-2026-11.geojson': file([...kept, site('Stoneleigh', 3, -3, 50)]),
  };
}

/** The files of coverage in this folder, by name. The manifests beside them are written by hand. */
export async function makeSamples(): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  for (const [file, make] of Object.entries({ ...shapefileSamples(), ...otherFormats() }))
    files[file] = await make();
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of ['towers/terrain', 'review'])
    await mkdir(new URL(folder, import.meta.url), { recursive: true });
  const ofTowers = Object.entries(makeTowerSamples()).map(
    ([name, bytes]) => [`towers/${name}`, bytes] as const,
  );
  const ofReview = Object.entries(makeReviewSamples()).map(
    ([name, bytes]) => [`review/${name}`, bytes] as const,
  );
  const addresses = ['addresses.zip', await makeAddresses()] as const;
  const regions = ['regions.zip', await makeRegions()] as const;
  const others = [...ofTowers, ...ofReview, addresses, regions];
  for (const [name, bytes] of [...Object.entries(await makeSamples()), ...others]) {
    await writeFile(new URL(name, import.meta.url), bytes);
    console.log(`samples/${name} (${bytes.length} bytes)`);
  }
}
