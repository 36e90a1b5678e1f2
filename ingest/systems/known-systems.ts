import { findNode, parseWktList, type WktNode } from './wkt.ts';

/* Recognises New Zealand's usual reference systems by their parameters: PROJ does not shift datums whose names it does not know. */

export type DatumKnowledge = 'wgs84' | 'nzgd2000' | 'nzgd49' | 'by_ellipsoid' | 'other';

/** The horizontal part of a definition, in no particular dialect. */
export type Described = NonNullable<ReturnType<typeof describe>>;

type ParameterRole = 'lat0' | 'lng0' | 'scale' | 'easting' | 'northing' | 'other';

const letters = (text: unknown) =>
  typeof text === 'string' ? text.toLowerCase().replace(/[^a-z0-9]/g, '') : '';

/** Names without case, underscores and Esri's "D_". */
const datumNames: [name: RegExp, datum: DatumKnowledge][] = [
  [/^(d|gcs)?(wgs|worldgeodeticsystem)(19)?84(g\d+|ensemble)?$/, 'wgs84'],
  [/^(d|gcs)?(nzgd2000|newzealandgeodeticdatum2000|newzealandgd2000|newzealand2000)$/, 'nzgd2000'],
  [
    /^(d|gcs)?(nzgd(19)?49|newzealandgeodeticdatum(of)?1949|newzealandgd(19)?49|newzealand(19)?49|geodeticdatum(of)?(19)?49)$/,
    'nzgd49',
  ],
];

/** By EPSG's codes of datums, and of geographic systems on them. */
const datumCodes: Record<number, DatumKnowledge> = {
  ...{ 6326: 'wgs84', 6167: 'nzgd2000', 6272: 'nzgd49' },
  ...{ 4326: 'wgs84', 4167: 'nzgd2000', 4272: 'nzgd49' },
};

const roles: [name: RegExp, role: ParameterRole][] = [
  [/^latitudeof((natural)?origin|center)$/, 'lat0'],
  [/^(longitudeof((natural)?origin|center)|centralmeridian)$/, 'lng0'],
  [/^scalefactor(atnaturalorigin)?$/, 'scale'],
  [/^falseeasting$/, 'easting'],
  [/^falsenorthing$/, 'northing'],
];

const geographicKeywords = 'GEOGCS GEOGCRS GEODCRS GEODETICCRS GEOGRAPHICCRS BASEGEOGCRS BASEGEODCRS'.split(
  ' ',
);
const projectedKeywords = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];
/** Systems that contain others. */
const outerKeywords = ['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS'];
const verticalKeywords = ['VERTCS', 'VERT_CS', 'VERTCRS', 'VERTICALCRS'];

export interface Definition {
  /** The text of the horizontal system, or of a compound one. */
  text: string;
  /** Its code, if it has no name. */
  name: string | undefined;
  described: Described;
  heights: string | undefined;
}

/** Parses well-known text; a vertical system may follow the horizontal one. @returns undefined if malformed, or not of a place on earth */
export function readDefinition(text: string): Definition | undefined {
  const list = parseWktList(text) ?? [];
  const isVertical = ({ node }: { node: WktNode }) => verticalKeywords.includes(node.keyword);
  const [horizontal, ...others] = list.filter((one) => !isVertical(one));
  const described = horizontal && describe(horizontal.node);
  if (!described || others.length > 0) return undefined;
  const vertical = list.map(({ node }) => findNode(node, ...verticalKeywords)).find((node) => node);
  return {
    text: horizontal.text,
    name: nameOf(horizontal.node),
    described,
    heights: vertical && (nameOf(vertical) ?? 'a system without a name'),
  };
}

/** Names that programs write for systems without a name. */
const noSystemName = /^(gcs|pcs)?(unknown|unnamed|notspecified|userdefined|undefined|custom)?$/;

/** The name of a system, else its code. */
function nameOf(node: WktNode): string | undefined {
  const [name] = node.items;
  if (typeof name === 'string' && !noSystemName.test(letters(name))) return name;
  const [authority, code] = authorityOf(node)?.items ?? [];
  const isCode = typeof code === 'string' || typeof code === 'number';
  return typeof authority === 'string' && isCode ? `${authority}:${code}` : undefined;
}

/** The description of a system in place of its name. */
export const withoutName = ({ projected }: Described): string =>
  projected ? 'a projection without a name' : 'degrees, no system named';

/** Describes a definition; undefined if it is of no place on earth: without geographic system, ellipsoid, or a needed projection. */
export function describe(root: WktNode) {
  if (![...geographicKeywords, ...projectedKeywords, ...outerKeywords].includes(root.keyword))
    return undefined;
  const projected = findNode(root, ...projectedKeywords);
  const geographic = findNode(projected ?? root, ...geographicKeywords);
  const [, axis, flattening] = findNode(root, 'SPHEROID', 'ELLIPSOID')?.items ?? [];
  const conversion = projected && findNode(projected, 'PROJECTION', 'CONVERSION');
  // An inverse flattening of 0 is a sphere; between 0 and 1 it would be no ellipsoid at all.
  const isEllipsoid =
    typeof axis === 'number' &&
    axis > 0 &&
    typeof flattening === 'number' &&
    (flattening === 0 || flattening > 1);
  if (!geographic || (projected && !conversion) || !isEllipsoid) return undefined;
  const method = projected && (findNode(projected, 'METHOD', 'PROJECTION') ?? conversion);
  return {
    /** True where it is bound to another system by a transformation of its own. */
    bound: root.keyword === 'BOUNDCRS',
    projected,
    geographic,
    datum: datumOf(geographic),
    /** Metres. */
    axis,
    /** Inverse; 0 of a sphere. */
    flattening,
    /** Letters only, in lower case; '' for geographic systems. */
    method: letters(method?.items[0]),
    parameters: parametersOf(projected),
    /** Metres or degrees. */
    unit: unitOf(projected ?? geographic, projected !== undefined),
  };
}

function datumOf(geographic: WktNode): DatumKnowledge {
  const datum = findNode(geographic, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE');
  const code = (node: WktNode | undefined) => {
    const id = authorityOf(node);
    return id && letters(id.items[0]) === 'epsg' ? datumCodes[Number(id.items[1])] : undefined;
  };
  const name = letters(datum?.items[0]);
  const byName = datumNames.find(([pattern]) => pattern.test(name))?.[1];
  if (byName) return byName;
  const unnamed = isNoName(name);
  return code(datum) ?? (unnamed ? (code(geographic) ?? 'by_ellipsoid') : 'other');
}

const authorityOf = (node: WktNode | undefined) => partsOf(node, 'AUTHORITY', 'ID')[0];

/** The nodes directly within another with one of the keywords. */
const partsOf = (node: WktNode | undefined, ...keywords: string[]) =>
  (node?.items ?? []).filter(
    (item): item is WktNode => typeof item === 'object' && keywords.includes(item.keyword),
  );

/** "D_unknown", "unnamed", "Unknown based on International 1924 ellipsoid", "Not_specified_based_on_...". */
const isNoName = (name: string) =>
  /^(d|gcs)?(unknown|unnamed|notspecified|userdefined|undefined|custom|$)/.test(name);

function parametersOf(projected: WktNode | undefined): Map<ParameterRole, number> {
  const parameters = new Map<ParameterRole, number>();
  const visit = (node: WktNode) => {
    for (const item of node.items) {
      if (typeof item !== 'object' || geographicKeywords.includes(item.keyword)) continue;
      const [name, value] = item.items;
      if (item.keyword !== 'PARAMETER') visit(item);
      // Of the others, only those with an effect count.
      else if (typeof value === 'number') {
        const role = roles.find(([pattern]) => pattern.test(letters(name)))?.[1] ?? 'other';
        if (role !== 'other' || value !== 0) parameters.set(role, value);
      }
    }
  };
  if (projected) visit(projected);
  return parameters;
}

/** The unit of the coordinates: the last one in the system itself, or in its axes. */
function unitOf(system: WktNode, projected: boolean): number {
  const of = (node: WktNode | undefined) =>
    partsOf(node, 'UNIT', projected ? 'LENGTHUNIT' : 'ANGLEUNIT').at(-1);
  const size = (of(system) ?? of(partsOf(system, 'AXIS')[0]))?.items[1];
  if (typeof size !== 'number') return 1;
  return projected ? size : (size * 180) / Math.PI;
}

const near = (a: number | undefined, b: number, tolerance = 1e-7) =>
  a !== undefined && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));

/** Metres, and inverse flattening. */
export const international1924: [axis: number, flattening: number] = [6378388, 297];
const ellipsoids: Record<'wgs84' | 'nzgd2000' | 'nzgd49', [axis: number, flattening: number]> = {
  wgs84: [6378137, 298.257223563],
  nzgd2000: [6378137, 298.257222101],
  nzgd49: international1924,
};
const onEllipsoid = ({ axis, flattening }: Described, [a, f]: [number, number]) =>
  near(axis, a) && near(flattening, f);

/** Tells if it is on the ellipsoid of WGS 84, or on GRS 80, which differs by a tenth of a millimetre. */
export const isModern = (described: Described) =>
  near(described.axis, 6378137) && near(described.flattening, 298.2572, 1e-6);

/** Tells if degrees are counted from a meridian other than Greenwich. */
function isFromElsewhere({ geographic }: Described): boolean {
  const meridian = findNode(geographic, 'PRIMEM', 'PRIMEMERIDIAN')?.items[1];
  return meridian !== undefined && meridian !== 0;
}

/** Tells if it brings its own transformation to WGS 84. */
const hasTransformation = ({ bound, geographic }: Described) =>
  bound || findNode(geographic, 'TOWGS84') !== undefined;

/** Tells if its unit is the degree, counted from Greenwich. */
const isInDegrees = (described: Described) =>
  !isFromElsewhere(described) && near(unitOf(described.geographic, false), 1);

/** EPSG's code of the system, if it needs no PROJ: degrees on common datums, and Web Mercator. */
export function commonCode(described: Described): number | undefined {
  const { projected, datum, unit } = described;
  if (!isInDegrees(described) || !near(unit, 1) || hasTransformation(described)) return undefined;
  if (isWebMercator(described)) return 3857;
  const isKnown = !projected && datum !== 'other' && datum !== 'by_ellipsoid';
  if (!isKnown || !onEllipsoid(described, ellipsoids[datum])) return undefined;
  return { wgs84: 4326, nzgd2000: 4167, nzgd49: 4272 }[datum];
}

/** EPSG:3857: spherical formulas on ellipsoidal coordinates. Before ArcGIS 10, Esri wrote a sphere of that radius. */
function isWebMercator({ axis, flattening, method, parameters, projected }: Described): boolean {
  const plain = [...parameters].every(([role, value]) => (role === 'scale' ? value === 1 : value === 0));
  if (!projected || !near(axis, 6378137) || !plain) return false;
  const spherical = /^(mercatorauxiliarysphere|popularvisualisationpseudomercator)$/.test(method);
  const named = /webmercator|popularvisualisation|auxiliarysphere/.test(letters(projected.items[0]));
  return spherical || (flattening === 0 && named && /^mercator/.test(method));
}

/** EPSG's codes of the country's projected systems by datum, the usual ones first, for comparing parameters. */
export const codesOfDatum = {
  wgs84: [...range(32758, 32760), 32701],
  nzgd2000: [2193, ...range(2105, 2135), 3764, ...range(3788, 3791), 3793, 3851, 5700],
  nzgd49: [27200, ...range(27205, 27232), ...range(27258, 27260), 27291, 27292],
};

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The datum whose systems {@link isSameProjection} can compare with it. */
export function comparedDatum(described: Described): keyof typeof codesOfDatum | undefined {
  const { projected, datum, method } = described;
  if (!projected || !isInDegrees(described) || hasTransformation(described)) return undefined;
  // This grid exists on one datum only.
  if (datum === 'by_ellipsoid' && method === 'newzealandmapgrid') return 'nzgd49';
  return datum === 'other' || datum === 'by_ellipsoid' ? undefined : datum;
}

/** Tells if two projected systems on one datum have the same projection and unit. */
export function isSameProjection(a: Described, b: Described): boolean {
  const same = (role: ParameterRole, otherwise: number) =>
    near(a.parameters.get(role) ?? otherwise, b.parameters.get(role) ?? otherwise);
  return (
    a.method === b.method &&
    [a, b].every(({ projected, parameters }) => projected && !parameters.has('other')) &&
    (['axis', 'flattening', 'unit'] as const).every((key) => near(a[key], b[key])) &&
    same('scale', 1) &&
    (['lat0', 'lng0', 'easting', 'northing'] as const).every((role) => same(role, 0))
  );
}

/** Degrees on an ellipsoid with an unknown datum: PROJ shifts nothing from and to these. */
export const degreesWithoutDatum = ({ axis, flattening }: Described) =>
  `GEOGCS["none",DATUM["none",SPHEROID["none",${axis},${flattening}]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`;
