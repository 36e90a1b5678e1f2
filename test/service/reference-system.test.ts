import {
  nztmPrj,
  points,
  rectangle,
  wgs84Prj,
  zippedRectangle,
  zippedShapefile,
} from '@covermap/testing/shapes.ts';
import { named, type Point, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referenceSystems, resolveReferenceSystem } from '../../ingest/systems/reference-system.ts';
import { readConfig } from '../../platform/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Service, useService } from '../setup/service.ts';

/* Reference systems are recognised, and coordinates get to WGS 84 alike, whichever way is taken. */

const { serviceArea, plausibility } = readConfig({});
const service = await useService({ plausibility });

test.each([
  ['EPSG:4326', 'EPSG:4326', true],
  ['WGS 84 as ArcGIS writes it', wgs84Prj, true],
  [
    'WGS 84 in WKT 2',
    'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["longitude",east],AXIS["latitude",north],ANGLEUNIT["degree",0.0174532925199433]]',
    true,
  ],
  ['NZGD49, 200 metres from it', 'EPSG:4272', false],
  [
    'gons',
    'GEOGCS["x",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["grad",0.01570796326794897]]',
    false,
  ],
  ['NZTM2000', nztmPrj, false],
  ['Web Mercator', 'EPSG:3857', false],
])('%s is, or is not, longitude and latitude in WGS 84 as it stands', async (_, definition, wgs84) => {
  expect(await resolveReferenceSystem(definition, serviceArea)).toMatchObject({ wgs84 });
});

const geographic = (datum: string, ellipsoid: string) =>
  `GEOGCS["x",DATUM["${datum}",SPHEROID[${ellipsoid}]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`;
const international = '"International 1924",6378388,297';
const mapGrid = (datum: string) =>
  `PROJCS["x",${geographic(datum, international)},PROJECTION["New_Zealand_Map_Grid"],PARAMETER["latitude_of_origin",-41],PARAMETER["central_meridian",173],PARAMETER["false_easting",2510000],PARAMETER["false_northing",6023150],UNIT["metre",1]]`;

const circuit = (gcs: string, origin = 174.764339361111) =>
  `PROJCS["x",${gcs},PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",-36.8798652777778],PARAMETER["central_meridian",${origin}],PARAMETER["scale_factor",0.9999],PARAMETER["false_easting",300000],PARAMETER["false_northing",700000],UNIT["metre",1]]`;

test.each([
  'New_Zealand_GD49',
  'GEODETIC_DATUM_1949',
  'NZGD1949',
  'D_New_Zealand_1949',
  'New Zealand Geodetic Datum 1949',
])('NZGD49 and NZMG under the name %s are EPSG:4272 and EPSG:27200', async (name) => {
  const resolve = (definition: string) => resolveReferenceSystem(definition, serviceArea);
  expect(await resolve(geographic(name, international))).toMatchObject({ srid: 4272, wgs84: false });
  expect(await resolve(mapGrid(name))).toMatchObject({ srid: 27200 });
  expect(await resolve(circuit(geographic(name, international)))).toMatchObject({ srid: 27205 });
});

test('a projection of its own on a datum that PROJ does not know under its name may be 200 m off, by any other it is not', async () => {
  const errorOf = async (gcs: string, datum: string) => {
    const degrees = geographic(datum, international).replace('"x"', `"${gcs}"`);
    const definition = circuit(degrees, 170);
    return (await resolveReferenceSystem(definition, serviceArea)).possibleErrorM;
  };
  expect(await errorOf('GCS_New_Zealand_1949', 'D_New_Zealand_1949')).toBeUndefined();
  expect(await errorOf('NZGD49', 'New_Zealand_Geodetic_Datum_1949')).toBeUndefined();
  expect(await errorOf('GCS_New_Zealand_1949', 'New_Zealand_Geodetic_Datum_1949')).toBeUndefined();
  expect(await errorOf('New_Zealand_GD49', 'New_Zealand_GD49')).toBe(200);
  const system = await resolveReferenceSystem('EPSG:4022', serviceArea);
  expect([system.name, system.possibleErrorM]).toEqual([expect.stringMatching(/^Unknown datum/), 200]);
});

const heights = (name: string) =>
  `VERTCS["${name}",VDATUM["New_Zealand_Vertical_Datum_2016"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]`;

test.each([
  ['after it', `${nztmPrj},${heights('NZVD2016')}`],
  ['before it', `${heights('NZVD2016')} , ${nztmPrj}\n`],
  ['with it, as of GDAL', `COMPD_CS["x",${nztmPrj},${heights('NZVD2016').replace('VERTCS', 'VERT_CS')}]`],
  ['of a system on no code', `${nztmPrj.replace('1600000', '1600001')},${heights('NZVD2016')}`],
])('the horizontal system counts, with a vertical one %s', async (_, definition) => {
  const system = await resolveReferenceSystem(definition, serviceArea);
  expect(system).toMatchObject({ projected: true, heights: 'NZVD2016' });
  if (definition.includes('1600000')) expect(system.srid).toBe(2193);
  expect(system.possibleErrorM).toBeUndefined();
});

test.each([
  ['two horizontal systems', `${nztmPrj},${wgs84Prj}`],
  ['a vertical system alone', heights('NZVD2016')],
  ['something else after it', `${nztmPrj},DATUM["x",1]`],
  ['half a vertical system', `${nztmPrj},VERTCS["x"`],
  ['one that nobody knows', 'LOCAL_CS["My town"]'],
  ['one that PROJ cannot read', 'PROJCS["half'],
  ['one with a zero in it', wgs84Prj.replace('WGS', 'W\0GS')],
  ['one that names a file', '+proj=longlat +nadgrids=/etc/passwd'],
  ['an EPSG code that does not exist', 'EPSG:999999'],
])('%s is no reference system', async (_, definition) => {
  await expect(resolveReferenceSystem(definition, serviceArea)).rejects.toMatchObject({
    code: 'reference_system_unknown',
  });
});

test.each([
  ['International 1924', international, 200],
  ['Krassowsky', '"Krassowsky 1940",6378245,298.3', 1000],
  ['a sphere', '"sphere",6371007.181,0', 21_400],
  ['GRS 80', '"GRS 1980",6378137,298.257222101', undefined],
  ['one with a transformation of its own', `${international}],TOWGS84[-87,-98,-121`, undefined],
])('a datum without a name on %s may be so many metres off', async (_, ellipsoid, metres) => {
  const definition = geographic('D_unknown', ellipsoid);
  const system = await resolveReferenceSystem(definition, serviceArea);
  expect(system.possibleErrorM).toBe(metres);
});

test('a definition is resolved once, and common ones have their number', async () => {
  const systemOf = referenceSystems(serviceArea);
  expect(systemOf(nztmPrj)).toBe(systemOf(nztmPrj));
  expect(await systemOf(nztmPrj)).toMatchObject({ srid: 2193 });
  expect(await systemOf(wgs84Prj)).toMatchObject({ srid: 4326, wgs84: true });
});

test('in the file’s own system it lies elsewhere: those in which it lies here are offered, and the one that is chosen counts', async () => {
  const features = [{ rings: [rectangle(1_750_000, 5_430_000, 1_760_000, 5_440_000)] }];
  const file = await zippedShapefile({ prj: mapGrid('New_Zealand_GD49'), features });
  const { state, error } = await service.ingest(file, { provider: 'Elsewhere' });
  expect([state, error?.code]).toEqual(['failed', 'outside_service_area']);
  expect(error?.choices?.filter(({ likely }) => likely).map(({ crs }) => crs)).toContain('EPSG:2193');
  expect(error?.choices?.map(({ crs }) => crs)).not.toContain('EPSG:27200');
  const chosen = await service.ingest(file, { provider: 'Elsewhere', crs: 'EPSG:2193' });
  expect(chosen.state).toBe('published');
  const [layer] = chosen.report?.layers ?? [];
  expect(layer).toMatchObject({
    reference_system: 'NZGD2000 / New Zealand Transverse Mercator 2000',
    reference_system_from: 'manifest',
  });
  // Another country’s coverage is in no other system either.
  const abroad = await zippedShapefile({ features: [{ rings: [rectangle(0, 51, 0.1, 51.1)] }] });
  expect((await service.ingest(abroad, { provider: 'Abroad' })).error?.choices).toBeUndefined();
});

describe('unusual coverage waits for a review', () => {
  const codes = ({ report, blocking }: Awaited<ReturnType<Service['ingest']>>) => {
    const warned = report?.warnings.map(({ code }) => code).filter((code) => code !== 'speeds_absent');
    return { warned, blocking: (blocking ?? []).map(({ code }) => code) };
  };
  const degrees = async (...features: Point[][][]) =>
    zippedShapefile({ features: features.map((rings) => ({ rings })) });

  test('coverage of most of the service area, land and sea', async () => {
    const wide = await service.ingest(await zippedRectangle(166, -48, 179, -34), { provider: 'Wide' });
    expect(wide.state).toBe('ready');
    expect(codes(wide)).toEqual({ warned: ['covers_most_of_area'], blocking: ['covers_most_of_area'] });
    expect(wide.report?.warnings[0]?.message).toMatch(/^The coverage fills 100% of the service area.*25%/);
    // Areas over one another count once.
    const layers = [0, 1, 2].map((i) => [rectangle(170 + i / 100, -44, 174, -40)]);
    const narrow = await service.ingest(await degrees(...layers), { provider: 'Narrow' });
    expect(codes(narrow)).toEqual({ warned: [], blocking: [] });
  });

  test('coverage of which much lies outside', async () => {
    const file = await degrees([rectangle(177.6, -41, 179.6, -40)]);
    const { warned, blocking } = codes(await service.ingest(file, { provider: 'Outer' }));
    expect([warned, blocking]).toEqual([['much_clipped'], ['much_clipped']]);
  });

  test('a share of features, or of area, that was dropped, and an attribute that contradicts what is taken by default', async () => {
    const features = Array.from({ length: 10 }, (_, i) => ({
      rings: [rectangle(174 + i / 10, -41, 174.05 + i / 10, -40.95)],
      attributes: { STATE: i < 2 ? 'perhaps' : 'planned', WHOLESALE: 'Yes' },
    }));
    const fields = ['STATE', 'WHOLESALE'].map((name) => ({ name, type: 'C' as const, length: 10 }));
    const file = await zippedShapefile({ features, fields });
    const manifest = { provider: 'Words', attributes: { availability: 'STATE' }, planned_date: '2099-01-01' };
    const submission = await service.ingest(file, manifest);
    expect(codes(submission).blocking).toEqual(['wholesale_network_contradicts', 'much_dropped']);
    const message = submission.report?.warnings.find(({ code }) => code === 'much_dropped')?.message;
    expect(message).toMatch(/^2 of 10 features \(20%\) were dropped, and with them 20% of the area/);
  });

  test('what crosses the 180th meridian is cut in two there, from an NZTM shapefile as from degrees', async () => {
    const rings = [rectangle(2_040_000, 5_700_000, 2_240_000, 5_760_000)];
    const nztm = await zippedShapefile({ prj: nztmPrj, features: [{ rings }] });
    const jumping = points('177.5 -38.5, 177.5 -38, -179.5 -38, -179.5 -38.5, 177.5 -38.5');
    for (const [file, km2] of [
      [nztm, 4600],
      [await degrees([jumping]), 5330],
    ] as const) {
      const submission = await service.ingest(file, { provider: 'Across' });
      expect(codes(submission).blocking).toContain('crosses_antimeridian');
      const warning = submission.report?.warnings.find(({ code }) => code === 'crosses_antimeridian');
      expect(warning?.message).toContain('Chatham Islands');
      expect(Math.abs((submission.report?.area_km2 ?? 0) / km2 - 1)).toBeLessThan(0.5);
      expect(submission.report?.bbox?.[0]).toBeGreaterThan(176);
    }
  });

  test('longitudes that are counted on past 180 are what they are; latitudes past 90 are dropped', async () => {
    const before = await degrees([rectangle(-185.4, -41, -185.3, -40.9)]);
    const { report } = await service.ingest(before, { provider: 'Turned', publish: 'review' });
    expect(report?.bbox?.map((one) => Math.round(one * 1e6) / 1e6)).toEqual([174.6, -41, 174.7, -40.9]);
    expect(report?.features.clipped).toBe(0);
    const beyond = await degrees([rectangle(174, -41, 174.1, -40.9)], [rectangle(-5000, -5000, 5000, 5000)]);
    const mixed = await service.ingest(beyond, { provider: 'Beyond' });
    expect(mixed.report?.features.dropped).toEqual({ not_on_earth: 1 });
    expect(codes(mixed).blocking).toEqual(['much_dropped', 'dropped_area_unknown']);
    const nowhere = await degrees([rectangle(-5000, -5000, 5000, 5000)]);
    const none = await service.ingest(nowhere, { provider: 'None' });
    expect(none.error?.code).toBe('reference_system_missing');
  });

  test('a datum that nobody knows, and a manifest that says otherwise than the file', async () => {
    const rings = [rectangle(174, -41, 174.1, -40.9)];
    const prj = geographic('D_unknown', international);
    const unknown = await zippedShapefile({ prj, features: [{ rings }] });
    const uncertain = await service.ingest(unknown, { provider: 'Unknown' });
    expect(codes(uncertain).blocking).toEqual(['reference_system_uncertain']);
    expect(uncertain.report?.warnings[0]?.message).toContain('up to 200 m');
    // An operator who knows the datum names it in the manifest.
    const answered = await service.ingest(unknown, { provider: 'Unknown', crs: 'EPSG:4272' });
    expect(codes(answered).blocking).toEqual([]);
    const [layer] = answered.report?.layers ?? [];
    expect(layer).toMatchObject({ reference_system: 'NZGD49', reference_system_from: 'manifest' });
    const both = `${wgs84Prj},${heights('NZVD2016')}`;
    const withHeights = await zippedShapefile({ prj: both, features: [{ rings }] });
    const read = await service.ingest(withHeights, { provider: 'Heights' });
    expect(codes(read)).toEqual({ warned: ['heights_ignored'], blocking: [] });
    expect(read.report?.text?.join('\n')).toContain('The heights of the file (NZVD2016) are ignored.');
    const said = await zippedShapefile({ features: [{ rings }] });
    expect(codes(await service.ingest(said, { provider: 'Said', crs: 'EPSG:4326' })).blocking).toEqual([]);
    const otherwise = await service.ingest(said, { provider: 'Said', crs: 'EPSG:2193' });
    expect(codes(otherwise).blocking).toEqual(['crs_not_used']);
    const atEasting = (metres: number) => nztmPrj.replace('1600000', `${metres}`);
    const own = atEasting(1_600_001);
    const inMetres = [{ rings: [rectangle(1_750_000, 5_430_000, 1_760_000, 5_440_000)] }];
    for (const [prj, crs, ...blocking] of [
      [nztmPrj, 'EPSG:2193'],
      [own, own],
      [own, atEasting(1_600_002), 'crs_not_used'],
    ] as const) {
      const file = await zippedShapefile({ prj, features: inMetres });
      expect(codes(await service.ingest(file, { provider: 'Own', crs })).blocking).toEqual(blocking);
    }
  });
});

describe('two places of a file that name different reference systems', () => {
  const rings = [rectangle(174.3, -41, 174.4, -40.9)];
  const nzgd49 = geographic('D_New_Zealand_1949', international);
  const withBoth = async (qpj: string) => {
    const files = { ...writeShapefile({ prj: wgs84Prj, features: [{ rings }] }), qpj: Buffer.from(qpj) };
    return { name: 'both.zip', bytes: await zip(named('coverage', files)) };
  };

  test('are a question, which the manifest answers with either of them', async () => {
    const file = await withBoth(nzgd49);
    const asked = await service.ingest(file, { provider: 'Two systems', publish: 'auto' });
    const message = expect.stringMatching(
      /WGS_1984 by coverage\.prj, and in .* by coverage\.qpj, which is up to \d{3} m/,
    );
    expect(asked.blocking).toEqual([{ code: 'reference_systems_differ', message }]);
    const westOf = async (crs: string) => {
      const { blocking, report } = await service.ingest(file, { provider: 'Two systems', crs });
      expect(blocking ?? []).toEqual([]);
      expect(report?.layers[0]?.reference_system_from).toBe('manifest');
      return report?.bbox?.[0] ?? 0;
    };
    expect(await westOf('EPSG:4326')).toBeCloseTo(174.3, 9);
    expect((await westOf('EPSG:4272')) - 174.3).toBeGreaterThan(0.0001);
    // A third one is another question.
    const third = await service.ingest(file, { provider: 'Two systems', crs: 'EPSG:2193' });
    expect(third.blocking?.map(({ code }) => code)).toEqual(['reference_systems_differ', 'crs_not_used']);
  });

  test('and lie within a metre of each other are one', async () => {
    const nzgd2000 = geographic('NZGD2000', '"GRS 1980",6378137,298.257222101');
    const { blocking } = await service.ingest(await withBoth(nzgd2000), { provider: 'One system' });
    expect(blocking ?? []).toEqual([]);
  });
});

test('areas of wide polygons of few corners are those of their many-cornered likes, to a millionth', async () => {
  const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const corner = fc.tuple(within(166, 178), within(-47, -35));
  const triangle = fc.tuple(corner, corner, corner).filter(([a, b, c]) => {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    return Math.abs(area) > 0.5;
  });
  await fc.assert(
    fc.asyncProperty(triangle, async ([a, b, c]) => {
      const text = `POLYGON((${[a, b, c, a].map((point) => point.join(' ')).join(',')}))`;
      // Geodesics between corners this near to each other are straight in degrees.
      const { rows } = await service.database.query<{ exact: number; dense: number }>(sql`
        select coverage_area_m2(geom) as exact, st_area(st_segmentize(geom, 0.01)::geography) as dense
        from (select st_geomfromtext(${text}, 4326) as geom) as given`);
      const { exact, dense } = rows[0] as { exact: number; dense: number };
      expect(Math.abs(exact / dense - 1)).toBeLessThan(1e-6);
    }),
    { numRuns: 20 },
  );
});
