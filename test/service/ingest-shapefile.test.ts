import proj4 from 'proj4';
import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../setup/service.ts';
import { hole, nztmPrj, rectangle, wgs84Prj, zippedRectangle, zippedShapefile } from '../setup/shapes.ts';
import { named, type Point, writeShapefile, zip } from '../setup/write-shapefile.ts';

/* What operators submit as shapefiles, and what lookups and the report say of it then. */

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
  'NZTM2000 by GDAL': [
    'PROJCS["NZGD2000 / New Zealand Transverse Mercator 2000",GEOGCS["NZGD2000",DATUM["New_Zealand_Geodetic_Datum_2000",SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6167"]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4167"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",173],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",1600000],PARAMETER["false_northing",10000000],UNIT["metre",1],AUTHORITY["EPSG","2193"]]',
    nztm,
  ],
  'NZTM2000 in WKT 2': [
    'PROJCRS["NZGD2000 / New Zealand Transverse Mercator 2000",BASEGEOGCRS["NZGD2000",DATUM["New Zealand Geodetic Datum 2000",ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["New Zealand Transverse Mercator 2000",METHOD["Transverse Mercator"],PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],PARAMETER["Longitude of natural origin",173,ANGLEUNIT["degree",0.0174532925199433]],PARAMETER["Scale factor at natural origin",0.9996,SCALEUNIT["unity",1]],PARAMETER["False easting",1600000,LENGTHUNIT["metre",1]],PARAMETER["False northing",10000000,LENGTHUNIT["metre",1]]],CS[Cartesian,2],AXIS["easting",east],AXIS["northing",north],LENGTHUNIT["metre",1]]',
    nztm,
  ],
  'UTM zone 60 south': [
    'PROJCS["WGS_1984_UTM_Zone_60S",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",10000000.0],PARAMETER["Central_Meridian",177.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
    '+proj=utm +zone=60 +south +datum=WGS84',
  ],
  'Web Mercator': [
    'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]',
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m',
  ],
  'NZGD2000 in degrees': [
    'GEOGCS["GCS_NZGD_2000",DATUM["D_NZGD_2000",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
    wgs84,
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

  test('NZMG, on the old datum, lands within a few metres', async () => {
    const prj =
      'PROJCS["GD_1949_New_Zealand_Map_Grid",GEOGCS["GCS_New_Zealand_1949",DATUM["D_New_Zealand_1949",SPHEROID["International_1924",6378388.0,297.0]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["New_Zealand_Map_Grid"],PARAMETER["False_Easting",2510000.0],PARAMETER["False_Northing",6023150.0],PARAMETER["Longitude_Of_Origin",173.0],PARAMETER["Latitude_Of_Origin",-41.0],UNIT["Meter",1.0]]';
    const nzmg =
      '+proj=nzmg +lat_0=-41 +lon_0=173 +x_0=2510000 +y_0=6023150 +ellps=intl +towgs84=59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993';
    const [x, y] = proj4(wgs84, nzmg, [175.3, -38]) as [number, number];
    const file = await zippedShapefile({
      prj,
      features: [{ rings: [rectangle(x - 500, y - 500, x + 500, y + 500)] }],
    });
    expect((await service.ingest(file, { provider: 'Old maps' })).error).toBeNull();
    for (const [dx, covered] of [
      [0, true],
      [490, true],
      [-490, true],
      [510, false],
      [-510, false],
    ] as const) {
      expect([dx, await coveredBy('Old maps', proj4(nzmg, wgs84, [x + dx, y]) as [number, number])]).toEqual([
        dx,
        covered,
      ]);
    }
  });

  test('can be named with the file where that has no .prj', async () => {
    const layer = { features: [{ rings: [rectangle(1_757_000, 5_914_000, 1_758_000, 5_915_000)] }] };
    const file = { name: 'bare.zip', bytes: await zip(named('bare', writeShapefile(layer))) };
    expect((await service.ingest(file, { provider: 'Bare', crs: 'EPSG:2193' })).state).toBe('published');
    expect(await coveredBy('Bare', [174.768, -36.902])).toBe(true);
  });
});

describe('geometry', () => {
  test('has holes, and islands in the holes', async () => {
    const rings = [
      rectangle(175, -39, 175.5, -38.5),
      rectangle(175.2, -38.8, 175.3, -38.7),
      hole(175.1, -38.9, 175.4, -38.6),
      hole(175.24, -38.76, 175.26, -38.74),
    ];
    await service.ingest(await zippedShapefile({ features: [{ rings }] }), { provider: 'Rings' });
    const covered = async (lat: number, lng: number) => (await fibreAt(lat, lng)) !== undefined;
    expect(await covered(-38.95, 175.05)).toBe(true);
    expect(await covered(-38.85, 175.15)).toBe(false);
    expect(await covered(-38.78, 175.22)).toBe(true);
    expect(await covered(-38.75, 175.25)).toBe(false);
  });

  test.each([
    ['z', 15],
    ['m', 25],
  ])('may have %s values, which mean nothing here', async (_, shapeType) => {
    const ring = rectangle(175, -39, 175.1, -38.9).map(([x, y]): Point => [x, y, 120, 7]);
    const submission = await service.ingest(
      await zippedShapefile({ shapeType, features: [{ rings: [ring] }] }),
      { provider: 'Measured' },
    );
    expect(submission.report?.features).toMatchObject({ read: 1, loaded: 1, repaired: 0, dropped: {} });
    expect(await fibreAt(-38.95, 175.05)).toBe(100);
  });

  test('of several parts is one feature', async () => {
    const rings = [rectangle(175, -39, 175.1, -38.9), rectangle(175.3, -39, 175.4, -38.9)];
    const submission = await service.ingest(await zippedShapefile({ features: [{ rings }] }), {
      provider: 'Parts',
    });
    expect(submission.report).toMatchObject({ features: { read: 1, loaded: 1, repaired: 0 }, rows: 2 });
    expect([
      await fibreAt(-38.95, 175.05),
      await fibreAt(-38.95, 175.2),
      await fibreAt(-38.95, 175.35),
    ]).toEqual([100, undefined, 100]);
  });

  test('that is missing or has no area is dropped and counted, the rest is loaded', async () => {
    const line: Point[] = [
      [175, -39],
      [175.1, -39],
      [175, -39],
      [175, -39],
    ];
    const nowhere: Point[] = rectangle(175, -39, 175.1, Number.NaN);
    const features = [
      { rings: null },
      { rings: [line] },
      { rings: [nowhere] },
      { rings: [rectangle(10, 50, 11, 51)] },
      { rings: [rectangle(175, -39, 175.1, -38.9)], deleted: true },
      { rings: [rectangle(175.2, -39, 175.3, -38.9)] },
    ];
    const submission = await service.ingest(await zippedShapefile({ features }), { provider: 'Mixed bag' });
    expect(submission.report?.features).toEqual({
      read: 6,
      loaded: 1,
      repaired: 0,
      clipped: 0,
      dropped: { no_geometry: 1, no_area: 1, coordinates_not_finite: 1, outside_service_area: 1, deleted: 1 },
    });
    expect([await fibreAt(-38.95, 175.05), await fibreAt(-38.95, 175.25)]).toEqual([undefined, 100]);
  });

  test('that crosses itself is repaired and counted, and overlapping parts are covered', async () => {
    const bowTie: Point[] = [
      [175, -39],
      [175.1, -38.9],
      [175.1, -39],
      [175, -38.9],
      [175, -39],
    ];
    const overlapping = [rectangle(175.2, -39, 175.4, -38.9), rectangle(175.3, -39, 175.5, -38.9)];
    const submission = await service.ingest(
      await zippedShapefile({ features: [{ rings: [bowTie] }, { rings: overlapping }] }),
      { provider: 'Crossing' },
    );
    expect(submission.report?.features).toMatchObject({ read: 2, loaded: 2, repaired: 2, dropped: {} });
    expect(await fibreAt(-38.95, 175.01)).toBe(100);
    expect(await fibreAt(-38.95, 175.09)).toBe(100);
    expect(await fibreAt(-38.91, 175.05)).toBeUndefined();
    expect(await fibreAt(-38.95, 175.35)).toBe(100);
  });

  test('that reaches out of the service area is clipped and counted', async () => {
    const submission = await service.ingest(await zippedRectangle(165, -48, 167, -47), { provider: 'Edge' });
    expect(submission.report).toMatchObject({
      features: { loaded: 1, clipped: 1 },
      bbox: [166.2, -47.5, 167, -47],
    });
    expect(await fibreAt(-47.5, 166.2)).toBe(100);
  });

  test('of many vertices is cut into rows of few', async () => {
    const points = 20_000;
    const ring = Array.from({ length: points }, (_, i): Point => {
      const angle = (-2 * Math.PI * i) / points;
      return [175 + 0.3 * Math.cos(angle), -39 + 0.3 * Math.sin(angle)];
    });
    ring.push(ring[0] as Point);
    const submission = await service.ingest(await zippedShapefile({ features: [{ rings: [ring] }] }), {
      provider: 'Round',
    });
    expect(submission.report?.vertices).toBe(points + 1);
    const { rows } = await service.database.query<{ most: number; rows: number }>(
      `select max(st_npoints(geom)) as most, count(*) as rows from coverage
       join tier on tier.id = tier_id join dataset on dataset.id = dataset_id join provider p on p.id = provider_id
       where p.name = 'Round'`,
    );
    expect(rows[0]?.rows).toBe(submission.report?.rows);
    expect(rows[0]?.most).toBeLessThanOrEqual(121);
  });
});

describe('the report', () => {
  test('gives the area on the ellipsoid, as PostGIS has it', async () => {
    const submission = await service.ingest(
      await zippedShapefile({
        features: [
          { rings: [rectangle(175, -39, 175.2, -38.9)] },
          { rings: [rectangle(168, -46.4, 168.05, -46.3)] },
        ],
      }),
      { provider: 'Area' },
    );
    const { rows } = await service.database.query<{ km2: number }>(
      `select (st_area(st_segmentize(st_makeenvelope(175, -39, 175.2, -38.9, 4326), 0.01)::geography)
         + st_area(st_segmentize(st_makeenvelope(168, -46.4, 168.05, -46.3, 4326), 0.01)::geography)) / 1e6 as km2`,
    );
    expect((submission.report?.area_km2 ?? 0) / (rows[0]?.km2 ?? 1)).toBeCloseTo(1, 5);
  });

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

  test('warns where speeds are neither in the file nor with it', async () => {
    const submission = await service.ingest(await zippedRectangle(175, -39, 175.1, -38.9), {
      provider: 'Speedless',
      speeds: {},
    });
    expect(submission.state).toBe('published');
    expect(submission.report?.warnings.map((warning) => warning.code)).toEqual([
      'speeds_absent',
      'speeds_absent',
    ]);
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

test('a number that is absent in the table takes the speed given with the file', async () => {
  const file = await zippedShapefile({
    fields: [{ name: 'DOWN', type: 'N', length: 8 }],
    features: [{ rings: [rectangle(175, -39, 175.1, -38.9)], attributes: { DOWN: '********' } }],
  });
  await service.ingest(file, {
    provider: 'Nulls',
    attributes: { bandwidth_max_mbps: 'DOWN' },
    speeds: { bandwidth_max_mbps: 7, bandwidth_up_max_mbps: 1 },
  });
  expect(await fibreAt(-38.95, 175.05)).toBe(7);
});

test('a reference system named with the file does not replace the one in it', async () => {
  const file = await zippedRectangle(175, -39, 175.1, -38.9);
  const submission = await service.ingest(file, { provider: 'Both', crs: 'EPSG:2193' });
  expect(submission.report?.layers[0]?.reference_system).toBe('GCS_WGS_1984');
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

describe('an archive', () => {
  const features = (west: number) => [{ rings: [rectangle(west, -39, west + 0.05, -38.9)] }];

  test('may hold several layers, in folders, with endings in any case', async () => {
    const upper = Object.fromEntries(
      Object.entries(writeShapefile({ features: features(175), prj: wgs84Prj })).map(([ending, bytes]) => [
        `Deep/er/NORTH.${ending.toUpperCase()}`,
        bytes,
      ]),
    );
    const bytes = await zip({
      ...upper,
      ...named('south', writeShapefile({ features: features(175.2), prj: wgs84Prj })),
      'readme.txt': Buffer.from('Coverage of spring'),
      'south.shp.xml': Buffer.from('<metadata/>'),
    });
    const submission = await service.ingest({ name: 'layers.zip', bytes }, { provider: 'Layers' });
    expect(submission.report?.layers.map((layer) => layer.name).sort()).toEqual(['NORTH', 'south']);
    expect([await fibreAt(-38.95, 175.02), await fibreAt(-38.95, 175.22)]).toEqual([100, 100]);
  });

  test('may be limited to some layers', async () => {
    const bytes = await zip({
      ...named('north', writeShapefile({ features: features(175), prj: wgs84Prj })),
      ...named('south', writeShapefile({ features: features(175.2), prj: wgs84Prj })),
    });
    await service.ingest({ name: 'layers.zip', bytes }, { provider: 'Chosen', layers: ['South'] });
    expect([await fibreAt(-38.95, 175.02), await fibreAt(-38.95, 175.22)]).toEqual([undefined, 100]);
  });

  test.each([
    ['UTF-8', 'utf-8', 0],
    ['1252', 'windows-1252', 0],
    ['ISO-8859-1', 'iso-8859-1', 0],
    [undefined, 'cp850', 2],
  ])(
    'names its attributes in the encoding of its .cpg file or its table: %s, %s',
    async (cpg, encoding, languageDriver) => {
      const fields = [{ name: 'DÉBIT', type: 'N' as const, length: 8 }];
      const file = await zippedShapefile({
        fields,
        features: [{ rings: [rectangle(175, -39, 175.1, -38.9)], attributes: { DÉBIT: 55 } }],
        encoding,
        languageDriver,
        ...(cpg === undefined ? {} : { cpg }),
      });
      const submission = await service.ingest(file, {
        provider: 'Accents',
        attributes: { bandwidth_max_mbps: 'débit' },
        speeds: { bandwidth_up_max_mbps: 5 },
      });
      expect(submission.error).toBeNull();
      expect(await fibreAt(-38.95, 175.05)).toBe(55);
    },
  );
});

/** Whether the provider's own coverage has the point. */
async function coveredBy(provider: string, [lng, lat]: [number, number]): Promise<boolean> {
  const { results } = await service.at(lat.toFixed(12), lng.toFixed(12));
  return results.some((result) => result.providers?.some(({ name }) => name === provider));
}
