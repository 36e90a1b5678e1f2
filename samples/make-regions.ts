import { rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';

/*
 * The layer of regions of the demo: made-up parts of a country that meet along meridians and parallels, around the towns of its addresses.
 */

type Part = readonly [name: string, west: number, south: number, east: number, north: number];

/** They leave ground between the islands to none. */
const parts: Part[] = [
  ['Northern Coast', 172.5, -36.3, 175.6, -34.3],
  ['Isthmus', 174.1, -37.3, 175.6, -36.3],
  ['Inland Valleys', 174.1, -38.6, 175.7, -37.3],
  ['Eastern Bays', 175.7, -38.6, 178.6, -37.3],
  ['Hawks Coast', 175.7, -40.4, 178.6, -38.6],
  ['Harbour End', 174.3, -41.7, 176.4, -40.4],
  ['Sounds', 172.4, -42.2, 174.3, -40.4],
  ['Plains', 170.4, -44.6, 174.3, -42.2],
  ['Lakes', 167.4, -45.6, 169.6, -44.1],
  ['Southern Peninsula', 169.6, -46.7, 171.6, -44.6],
  ['Far South', 166.4, -47.4, 169.6, -45.6],
];

/** A zipped shapefile, with the name of each part as `NAME`. */
export const makeRegions = async (): Promise<Buffer> => {
  const features = parts.map(([name, ...box]) => ({
    rings: [rectangle(...box)],
    attributes: { NAME: name },
  }));
  const fields = [{ name: 'NAME', type: 'C' as const, length: 40 }];
  return (await zippedShapefile({ fields, features }, 'regions')).bytes;
};
