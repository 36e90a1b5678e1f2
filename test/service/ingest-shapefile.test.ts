import proj4 from 'proj4';
import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../setup/service.ts';
import { nztmPrj, rectangle, wgs84Prj, zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/* What operators submit as shapefiles, and what lookups and the report say of it then. What a file may hold is in test/unit/shapefile.test.ts. */

const service = await useService();

// So that each test has the place to itself.
afterEach(async () => {
  await service.database.query(`update dataset set state = 'withdrawn' where state = 'published'`);
  await service.database.query('update catalog set version = version + 1');
});

/** The fastest fibre at a point; undefined where there is none. */
async function fibreAt(lat: number, lng: number): Promise<number | undefined> {
  const { results } = await service.at(lat.toFixed(9), lng.toFixed(9));
  return results.find((result) => result.technology === 'fibre')?.providers?.[0]?.bandwidth_max_mbps;
}

const wgs84 = '+proj=longlat +datum=WGS84';
/** Definitions of reference systems, each as its tool writes it into a .prj file and as proj4js takes it. */
const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80';
const systems = {
  'NZTM2000 by ArcGIS': [nztmPrj, nztm],
  'UTM zone 60 south': [
    'PROJCS["WGS_1984_UTM_Zone_60S",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",10000000.0],PARAMETER["Central_Meridian",177.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
    '+proj=utm +zone=60 +south +datum=WGS84',
  ],
  'Web Mercator': [
    'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]',
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m',
  ],
} satisfies Record<string, [string, string]>;

describe('the reference system', () => {
  test.each(Object.entries(systems))(
    '%s: what is inside in the file is inside in the answer, to the decimetre',
    async (name, [prj, proj]) => {
      const [x, y] = proj4(wgs84, proj, [175.3, -38]) as [number, number];
      const size = Math.abs(x) > 180 ? 60_000 : 0.6;
      const margin = Math.abs(x) > 180 ? 0.1 : 0.000001;
      const rings = [rectangle(x - size, y - size, x + size, y + size)];
      const file = await zippedShapefile({ prj, features: [{ rings }] });
      const provider = `System ${name}`;
      expect((await service.ingest(file, { provider })).error).toBeNull();
      // Along the edges, where a straight line in the projection is not one in degrees.
      for (const part of [-0.9, -0.5, 0.01, 0.5, 0.9]) {
        for (const [dx, dy] of [
          [part * size, size],
          [part * size, -size],
          [size, part * size],
          [-size, part * size],
        ] as const) {
          const towards = (distance: number) => {
            const along = (d: number) => (Math.abs(d) === size ? Math.sign(d) * (size - distance) : d);
            return proj4(proj, wgs84, [x + along(dx), y + along(dy)]) as [number, number];
          };
          const [inside, outside] = [towards(margin), towards(-margin)];
          const covered = [await coveredBy(provider, inside), await coveredBy(provider, outside)];
          expect([name, part, ...covered]).toEqual([name, part, true, false]);
        }
      }
    },
  );
});

describe('the report', () => {
  test('names layers, reference system, encoding, attributes, vertices and tiers', async () => {
    const fields = [{ name: 'SPEED', type: 'N' as const, length: 8, decimals: 1 }];
    const features = [
      { rings: [rectangle(175, -39, 175.1, -38.9)], attributes: { SPEED: 100 } },
      { rings: [rectangle(175.2, -39, 175.3, -38.9)], attributes: { SPEED: 300.5 } },
      { rings: [rectangle(175.4, -39, 175.5, -38.9)], attributes: { SPEED: 100 } },
    ];
    const submission = await service.ingest(
      await zippedShapefile({ fields, features, prj: wgs84Prj, cpg: 'UTF-8' }),
      {
        provider: 'Reported',
        attributes: { bandwidth_max_mbps: 'speed' },
        speeds: { bandwidth_up_max_mbps: 10 },
      },
    );
    expect(submission.report).toMatchObject({
      layers: [
        {
          name: 'coverage',
          format: 'ESRI Shapefile',
          reference_system: 'GCS_WGS_1984',
          encoding: 'UTF-8',
          attributes: ['SPEED'],
          features: 3,
        },
      ],
      features: { read: 3, loaded: 3 },
      vertices: 15,
      rows: 3,
      warnings: [],
      tiers: [
        {
          availability: 'available',
          bandwidth_min_mbps: 100,
          bandwidth_max_mbps: 100,
          bandwidth_up_max_mbps: 10,
          rows: 2,
        },
        { availability: 'available', bandwidth_min_mbps: 300.5, bandwidth_max_mbps: 300.5, rows: 1 },
      ],
    });
    expect(submission.progress).toMatchObject({ rows_loaded: 3, features_read: 3 });
    expect(submission.progress?.bytes_read).toBe(submission.progress?.bytes_total);
    expect([await fibreAt(-38.95, 175.05), await fibreAt(-38.95, 175.25)]).toEqual([100, 300.5]);
  });
});

describe('texts out of files', () => {
  test('may hold what jsonb cannot store', async () => {
    const file = await zippedShapefile({
      features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }],
      cpg: 'U\0T\0F\0',
    });
    const submission = await service.ingest(file, { provider: 'Odd text' });
    expect(submission.state).toBe('published');
    expect(submission.report?.warnings).toMatchObject([{ code: 'encoding_unknown' }]);
  });
  test('may define a reference system at any length', async () => {
    const prj = wgs84Prj.replace('GCS_WGS_1984', 'long '.repeat(600));
    const file = await zippedShapefile({ prj, features: [{ rings: [rectangle(175, -39, 175.1, -38.9)] }] });
    expect((await service.ingest(file, { provider: 'Long name' })).state).toBe('published');
  });
});

test('an outline that is a tangle does not stop the service, and the other features are loaded', async () => {
  let state = 7;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const tangle = Array.from({ length: 3000 }, (): Point => [175 + random() * 0.1, -39 + random() * 0.1]);
  const features = [
    { rings: [[...tangle, tangle[0] as Point]] },
    { rings: [rectangle(175.2, -39, 175.3, -38.9)] },
  ];
  const submission = await service.ingest(await zippedShapefile({ features }), { provider: 'Tangle' });
  expect(submission.report?.features.loaded).toBe(1);
  expect(submission.report?.features.dropped).toEqual({ crosses_itself_too_often: 1 });
  expect(await fibreAt(-38.95, 175.25)).toBe(100);
});

/** Whether the provider's own coverage has the point. */
async function coveredBy(provider: string, [lng, lat]: [number, number]): Promise<boolean> {
  const { results } = await service.at(lat.toFixed(12), lng.toFixed(12));
  return results.some((result) => result.providers?.some(({ name }) => name === provider));
}
