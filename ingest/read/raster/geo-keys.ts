/*
 * Reference systems as GeoTIFF has them (OGC 19-008r4, 7.1 and annex B).
 */

const key = {
  modelType: 1024,
  rasterType: 1025,
  geodeticCrs: 2048,
  angularUnits: 2054,
  projectedCrs: 3072,
  linearUnits: 3076,
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

/** What a code of a system says already, or what people read: everything else changes what the code says. */
const besideCode = [1024, 1025, 1026, 2048, 2049, key.angularUnits, key.linearUnits, 3072];
const degree = 9102;
const metre = 9001;

export interface SaidByKeys {
  /** `EPSG:<code>`, where the keys say no more than that. */
  code?: string;
  /** Whether they say something, so that GDAL has to be asked what it means. */
  something: boolean;
  /** Whether its coordinates are degrees: undefined where the keys do not say. */
  degrees: boolean | undefined;
}

/**
 * What the keys say of the horizontal reference system. All but a plain code takes a register of systems, names and
 * programs' habits, which GDAL has.
 */
export function systemSaid(keys: GeoKeys): SaidByKeys {
  const model = keys.get(key.modelType);
  const projected = code(keys, key.projectedCrs);
  const geodetic = code(keys, key.geodeticCrs);
  const something = [...keys.keys()].some((id) => id === key.modelType || id >= key.geodeticCrs);
  const degrees = model === 2 ? true : model === undefined ? undefined : false;
  const plain =
    [...keys.keys()].every((id) => besideCode.includes(id) || id >= 4096) &&
    [degree, undefined].includes(keys.get(key.angularUnits) as number | undefined) &&
    [metre, undefined].includes(keys.get(key.linearUnits) as number | undefined);
  if (plain && model === 1 && projected) return { code: `EPSG:${projected}`, something, degrees };
  if (plain && model === 2 && geodetic && !keys.has(key.projectedCrs))
    return { code: `EPSG:${geodetic}`, something, degrees };
  return { something, degrees };
}

/** A code of EPSG: others are of GeoTIFF, or say that the keys describe something themselves. */
function code(keys: GeoKeys, id: number): number | undefined {
  const value = keys.get(id);
  return typeof value === 'number' && value >= 1024 && value < userDefined ? value : undefined;
}
