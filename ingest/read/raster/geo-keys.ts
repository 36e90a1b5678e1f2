/*
 * Reference systems as GeoTIFF has them (OGC 19-008r4, 7.1 and annex B).
 */

const key = {
  modelType: 1024,
  rasterType: 1025,
  citation: 1026,
  geodeticCrs: 2048,
  datum: 2050,
  angularUnits: 2054,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  primeMeridianLongitude: 2061,
  toWgs84: 2062,
  projectedCrs: 3072,
  projection: 3074,
  method: 3075,
  linearUnits: 3076,
  linearUnitSize: 3077,
  parallel1: 3078,
  parallel2: 3079,
  originLongitude: 3080,
  originLatitude: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLongitude: 3084,
  falseOriginLatitude: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centreLongitude: 3088,
  centreLatitude: 3089,
  centreEasting: 3090,
  centreNorthing: 3091,
  scaleAtOrigin: 3092,
  scaleAtCentre: 3093,
};

const userDefined = 32767;

export type GeoKeys = Map<number, number | string | number[]>;

/**
 * Reads the key directory.
 * @param directory GeoKeyDirectoryTag: four numbers a key: its id, the tag that holds its value (0: here), count, value
 */
export function parseGeoKeys(
  directory: ArrayLike<number>,
  doubles: ArrayLike<number>,
  ascii: string,
): GeoKeys {
  const keys: GeoKeys = new Map();
  for (let i = 4; i + 3 < directory.length; i += 4) {
    const [id, location, count, value] = [0, 1, 2, 3].map((j) => directory[i + j]) as [
      number,
      number,
      number,
      number,
    ];
    if (location === 0) keys.set(id, value);
    else if (location === 34736 && value + count <= doubles.length)
      keys.set(
        id,
        count === 1
          ? (doubles[value] as number)
          : Array.from({ length: count }, (_, j) => doubles[value + j] as number),
      );
    else if (location === 34737) keys.set(id, withoutEnd(ascii.slice(value, value + count)));
  }
  return keys;
}

/** Texts end in a bar, and in what fills them up. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '|' || text[end - 1] === '\0') end--;
  return text.slice(0, end);
}

/** Whether coordinates in the file are of middles of pixels and not of their corners. */
export const pixelIsPoint = (keys: GeoKeys): boolean => keys.get(key.rasterType) === 2;

export interface FoundSystem {
  /** `EPSG:<code>` or WKT; undefined where the keys name none. */
  definition?: string;
  /** Whether the keys describe a system that could not be put into words here. */
  notReadable?: boolean;
}

/** The horizontal reference system that the keys name, else the one that they describe. */
export function referenceSystemOf(keys: GeoKeys): FoundSystem {
  const projected = code(keys, key.projectedCrs);
  const geodetic = code(keys, key.geodeticCrs);
  const modelType = keys.get(key.modelType);
  if (projected) return { definition: `EPSG:${projected}` };
  const describesProjection = keys.has(key.projectedCrs) || keys.has(key.method) || keys.has(key.projection);
  if (describesProjection && modelType !== 2) {
    const definition = projectedWkt(keys);
    return definition ? { definition } : { notReadable: true };
  }
  if (geodetic) return { definition: `EPSG:${geodetic}` };
  if (keys.has(key.geodeticCrs) || keys.has(key.datum) || keys.has(key.ellipsoid)) {
    const definition = geographicWkt(keys);
    return definition ? { definition } : { notReadable: true };
  }
  return {};
}

function code(keys: GeoKeys, id: number): number | undefined {
  const value = keys.get(id);
  return typeof value === 'number' && value >= 1024 && value < userDefined ? value : undefined;
}

function value(keys: GeoKeys, ...ids: number[]): number | undefined {
  for (const id of ids) {
    const found = keys.get(id);
    if (typeof found === 'number' && Number.isFinite(found)) return found;
  }
  return undefined;
}

/** By EPSG code of the ellipsoid: name, semi-major axis in metres, inverse flattening (0: a sphere). */
const ellipsoids: Record<number, [name: string, axis: number, flattening: number]> = {
  7001: ['Airy 1830', 6377563.396, 299.3249646],
  7003: ['Australian National Spheroid', 6378160, 298.25],
  7004: ['Bessel 1841', 6377397.155, 299.1528128],
  7008: ['Clarke 1866', 6378206.4, 294.978698213898],
  7012: ['Clarke 1880 (RGS)', 6378249.145, 293.465],
  7019: ['GRS 1980', 6378137, 298.257222101],
  7022: ['International 1924', 6378388, 297],
  7024: ['Krassowsky 1940', 6378245, 298.3],
  7030: ['WGS 84', 6378137, 298.257223563],
  7043: ['WGS 72', 6378135, 298.26],
};

/** By EPSG code of the geodetic system: its name, its datum's code and name, and the datum's ellipsoid. */
const geodeticSystems: Record<number, [name: string, datum: number, datumName: string, ellipsoid: number]> = {
  4167: ['NZGD2000', 6167, 'New_Zealand_Geodetic_Datum_2000', 7019],
  4202: ['AGD66', 6202, 'Australian_Geodetic_Datum_1966', 7003],
  4203: ['AGD84', 6203, 'Australian_Geodetic_Datum_1984', 7003],
  4258: ['ETRS89', 6258, 'European_Terrestrial_Reference_System_1989', 7019],
  4267: ['NAD27', 6267, 'North_American_Datum_1927', 7008],
  4269: ['NAD83', 6269, 'North_American_Datum_1983', 7019],
  4272: ['NZGD49', 6272, 'New_Zealand_Geodetic_Datum_1949', 7022],
  4277: ['OSGB 1936', 6277, 'OSGB_1936', 7001],
  4283: ['GDA94', 6283, 'Geocentric_Datum_of_Australia_1994', 7019],
  4322: ['WGS 72', 6322, 'World_Geodetic_System_1972', 7043],
  4326: ['WGS 84', 6326, 'WGS_1984', 7030],
  7844: ['GDA2020', 1168, 'Geocentric_Datum_of_Australia_2020', 7019],
};

const quoted = (text: string) =>
  text
    .replaceAll(/["\p{Cc}]/gu, ' ')
    .slice(0, 80)
    .trim();

function geographicWkt(keys: GeoKeys): string | undefined {
  const geodetic = code(keys, key.geodeticCrs);
  const datum = code(keys, key.datum);
  const known =
    (geodetic ? geodeticSystems[geodetic] : undefined) ??
    Object.values(geodeticSystems).find(([, knownDatum]) => knownDatum === datum);
  if (known) {
    const [name, datumCode, datumName, ellipsoidCode] = known;
    const [ellipsoid, axis, flattening] = ellipsoids[ellipsoidCode] as [string, number, number];
    return (
      `GEOGCS["${name}",DATUM["${datumName}",SPHEROID["${ellipsoid}",${axis},${flattening},AUTHORITY["EPSG","${ellipsoidCode}"]],` +
      `AUTHORITY["EPSG","${datumCode}"]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`
    );
  }
  // A system or datum that is only named cannot be put into words without a register of them.
  if (geodetic) return undefined;
  const ellipsoid = ellipsoids[code(keys, key.ellipsoid) ?? 0];
  const axis = value(keys, key.semiMajorAxis) ?? ellipsoid?.[1];
  const minor = value(keys, key.semiMinorAxis);
  const flattening =
    value(keys, key.inverseFlattening) ??
    (axis !== undefined && minor !== undefined
      ? axis === minor
        ? 0
        : axis / (axis - minor)
      : ellipsoid?.[2]);
  if (axis === undefined || flattening === undefined) return undefined;
  const shift = keys.get(key.toWgs84);
  const toWgs84 =
    Array.isArray(shift) && (shift.length === 3 || shift.length === 7)
      ? `,TOWGS84[${[...shift, 0, 0, 0, 0].slice(0, 7).join(',')}]`
      : '';
  const meridian = value(keys, key.primeMeridianLongitude) ?? 0;
  return (
    `GEOGCS["unnamed",DATUM["unnamed",SPHEROID["${quoted(ellipsoid?.[0] ?? 'unnamed')}",${axis},${flattening}]${toWgs84}],` +
    `PRIMEM["${meridian === 0 ? 'Greenwich' : 'unnamed'}",${meridian}],UNIT["degree",0.0174532925199433]]`
  );
}

const linearUnits: Record<number, [name: string, metres: number]> = {
  9001: ['metre', 1],
  9002: ['foot', 0.3048],
  9003: ['US survey foot', 0.304800609601219],
  9036: ['kilometre', 1000],
};

type Parameter = [name: string, value: number | undefined];

function projectedWkt(keys: GeoKeys): string | undefined {
  const geographic = geographicWkt(keys);
  const projection = methodOf(keys);
  const unitCode = value(keys, key.linearUnits) ?? 9001;
  const size = value(keys, key.linearUnitSize);
  const unit = linearUnits[unitCode] ?? (size === undefined ? undefined : (['unnamed', size] as const));
  if (!geographic || !projection || !unit) return undefined;
  const { method, parameters } = projection;
  const citation = keys.get(key.citation);
  const name = typeof citation === 'string' ? quoted(citation) || 'unnamed' : 'unnamed';
  return (
    `PROJCS["${name}",${geographic},PROJECTION["${method}"],` +
    `${parameters.map(([parameter, number]) => `PARAMETER["${parameter}",${number ?? 0}],`).join('')}` +
    `UNIT["${unit[0]}",${unit[1]}]]`
  );
}

function methodOf(keys: GeoKeys): { method: string; parameters: Parameter[] } | undefined {
  const utm = value(keys, key.projection) ?? 0;
  if ((utm > 16000 && utm <= 16060) || (utm > 16100 && utm <= 16160)) {
    const south = utm > 16100;
    const zone = utm - (south ? 16100 : 16000);
    return {
      method: 'Transverse_Mercator',
      parameters: [
        ['latitude_of_origin', 0],
        ['central_meridian', zone * 6 - 183],
        ['scale_factor', 0.9996],
        ['false_easting', 500_000],
        ['false_northing', south ? 10_000_000 : 0],
      ],
    };
  }
  const longitude = value(keys, key.originLongitude, key.falseOriginLongitude, key.centreLongitude);
  const latitude = value(keys, key.originLatitude, key.falseOriginLatitude, key.centreLatitude);
  const scale = value(keys, key.scaleAtOrigin, key.scaleAtCentre) ?? 1;
  const easting: Parameter = [
    'false_easting',
    value(keys, key.falseEasting, key.falseOriginEasting, key.centreEasting),
  ];
  const northing: Parameter = [
    'false_northing',
    value(keys, key.falseNorthing, key.falseOriginNorthing, key.centreNorthing),
  ];
  const parallels: Parameter[] = [
    ['standard_parallel_1', value(keys, key.parallel1)],
    ['standard_parallel_2', value(keys, key.parallel2)],
  ];
  const origin: Parameter[] = [
    ['latitude_of_origin', latitude],
    ['central_meridian', longitude],
  ];
  const scaled = (method: string) => ({
    method,
    parameters: [...origin, ['scale_factor', scale], easting, northing] as Parameter[],
  });
  // OGC 19-008r4, annex G: codes of coordinate transformations.
  switch (value(keys, key.method)) {
    case 1:
      return scaled('Transverse_Mercator');
    case 7:
      return scaled('Mercator_1SP');
    case 8:
      return {
        method: 'Lambert_Conformal_Conic_2SP',
        parameters: [...parallels, ...origin, easting, northing],
      };
    case 9:
      return scaled('Lambert_Conformal_Conic_1SP');
    case 10:
      return {
        method: 'Lambert_Azimuthal_Equal_Area',
        parameters: [['latitude_of_center', latitude], ['longitude_of_center', longitude], easting, northing],
      };
    case 11:
      return {
        method: 'Albers_Conic_Equal_Area',
        parameters: [
          ...parallels,
          ['latitude_of_center', latitude],
          ['longitude_of_center', longitude],
          easting,
          northing,
        ],
      };
    case 16:
      return scaled('Oblique_Stereographic');
    case 26:
      return { method: 'New_Zealand_Map_Grid', parameters: [...origin, easting, northing] };
    default:
      return undefined;
  }
}
