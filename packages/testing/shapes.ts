import { ringBox } from '@covermap/geometry/polygon.ts';
import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import { named, type Point, type ShapefileLayer, writeShapefile, zip } from './write-shapefile.ts';

export const wgs84Prj =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
export const nztmPrj =
  'PROJCS["NZGD_2000_New_Zealand_Transverse_Mercator",GEOGCS["GCS_NZGD_2000",DATUM["D_NZGD_2000",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",1600000.0],PARAMETER["False_Northing",10000000.0],PARAMETER["Central_Meridian",173.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

/** The points of a text such as "0 0, 1 0.5, 0 0". */
export const points = (text: string): Point[] =>
  text.split(', ').map((point) => point.split(' ').map(Number) as Point);

/** A clockwise rectangle. */
export const rectangle = (west: number, south: number, east: number, north: number): Point[] =>
  points(`${west} ${south}, ${west} ${north}, ${east} ${north}, ${east} ${south}, ${west} ${south}`);

/** The same the other way round: a hole. */
export const hole = (...corners: Parameters<typeof rectangle>): Point[] => rectangle(...corners).reverse();

/** A zip of one shapefile in WGS 84, unless the layer says otherwise. */
export const zippedShapefile = async (layer: ShapefileLayer, name = 'coverage') => ({
  name: `${name}.zip`,
  bytes: await zip(named(name, writeShapefile({ prj: wgs84Prj, ...layer }))),
});

/** A zip of one rectangle in WGS 84. */
export const zippedRectangle = (...corners: Parameters<typeof rectangle>) =>
  zippedShapefile({ features: [{ rings: [rectangle(...corners)] }] });

/** Around a place, counter-clockwise, closed. */
export const regularRing = (x: number, y: number, radius: number, corners: number): Float64Array =>
  Float64Array.from({ length: 2 * corners + 2 }, (_, i) => {
    const angle = (2 * Math.PI * ((i >> 1) % corners)) / corners;
    return i % 2 === 0 ? x + radius * Math.cos(angle) : y + radius * Math.sin(angle);
  });

/** The points of a ring, one by one. */
export const pairsOf = (ring: Float64Array): [x: number, y: number][] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i] as number, ring[2 * i + 1] as number]);

/** The answer of another library, Turf: whether a polygon holds a point, which may lie on an edge unless that is ignored. */
export function turfOn(polygon: readonly Float64Array[]) {
  const bbox = ringBox(polygon[0] as Float64Array);
  const shape = { type: 'Polygon' as const, bbox, coordinates: polygon.map(pairsOf) };
  return ([x, y]: Readonly<Point> | number[], ignoreBoundary = false): boolean =>
    booleanPointInPolygon([x as number, y as number], shape, { ignoreBoundary });
}
