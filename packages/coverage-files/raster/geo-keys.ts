/* The reference system of a GeoTIFF by its keys (OGC 19-008r4, 7.1 and annex B), in plain cases. */

const key = {
  modelType: 1024,
  rasterType: 1025,
  geodeticCrs: 2048,
  angularUnits: 2054,
  projectedCrs: 3072,
  linearUnits: 3076,
};
const degree = 9102;
const metre = 9001;
const userDefined = 32767;
/** Keys that go with a code, or are for people. All others change the meaning of the code. */
const besideCode = [1024, 1025, 1026, 2048, 2049, key.angularUnits, key.linearUnits, 3072];

/** Values by key; undefined for values in another tag. */
export type GeoKeys = Map<number, number | undefined>;

/** @param directory GeoKeyDirectoryTag: four numbers for each key: its id, the tag of its value (0: here), count, value */
export function parseGeoKeys(directory: ArrayLike<number>): GeoKeys {
  const keys: GeoKeys = new Map();
  for (let i = 4; i + 3 < directory.length; i += 4)
    keys.set(directory[i] as number, directory[i + 1] === 0 ? directory[i + 3] : undefined);
  return keys;
}

/** Tells if coordinates in the file are of pixel centres and not of their corners. */
export const pixelIsPoint = (keys: GeoKeys): boolean => keys.get(key.rasterType) === 2;

/** The horizontal reference system of the keys. All but a plain code needs GDAL, which knows names and programs' habits. */
export function systemByKeys(keys: GeoKeys) {
  const ids = [...keys.keys()];
  const model = keys.get(key.modelType);
  const isPlain =
    ids.every((id) => besideCode.includes(id) || id >= 4096) &&
    [degree, undefined].includes(keys.get(key.angularUnits)) &&
    [metre, undefined].includes(keys.get(key.linearUnits));
  const code =
    model === 1
      ? keys.get(key.projectedCrs)
      : model === 2 && !keys.has(key.projectedCrs)
        ? keys.get(key.geodeticCrs)
        : undefined;
  // Lower codes are GeoTIFF's own.
  const isCode = isPlain && code !== undefined && code >= 1024 && code < userDefined;
  return {
    /** `EPSG:<code>`, if the keys have nothing more. */
    code: isCode ? `EPSG:${code}` : undefined,
    /** True where GDAL must be asked for their meaning. */
    something: ids.some((id) => id === key.modelType || id >= key.geodeticCrs),
    /** True where its coordinates are degrees; undefined where the keys do not say. */
    degrees: model === undefined ? undefined : model === 2,
  };
}
