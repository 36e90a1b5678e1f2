import fc from 'fast-check';
import proj4 from 'proj4';
import { expect, test } from 'vitest';
import { fromTransverseMercator } from '../../ingest/geometry/transverse-mercator.ts';

const grs80 = { axis: 6378137, inverseFlattening: 298.257222101 };
const projections = {
  NZTM2000: { ...grs80, lat0: 0, lng0: 173, scale: 0.9996, easting: 1_600_000, northing: 10_000_000 },
  'Mount Eden 2000': {
    ...grs80,
    ...{ lat0: -36.879865, lng0: 174.76433, scale: 0.9999, easting: 400_000, northing: 800_000 },
  },
  'UTM zone 60S': {
    ...{ axis: 6378137, inverseFlattening: 298.257223563 },
    ...{ lat0: 0, lng0: 177, scale: 0.9996, easting: 500_000, northing: 10_000_000 },
  },
};

test.each(Object.entries(projections))('%s: back to the degrees that proj4 projects', (_, projection) => {
  const { axis, inverseFlattening, lat0, lng0, scale, easting, northing } = projection;
  const proj = proj4(
    `+proj=etmerc +lat_0=${lat0} +lon_0=${lng0} +k=${scale} +x_0=${easting} +y_0=${northing} +a=${axis} +rf=${inverseFlattening}`,
  );
  const toDegrees = fromTransverseMercator(projection);
  const degrees = { noNaN: true, noDefaultInfinity: true };
  fc.assert(
    fc.property(
      fc.double({ min: lng0 - 12, max: lng0 + 12, ...degrees }),
      fc.double({ min: -60, max: 60, ...degrees }),
      (lng, lat) => {
        const positions = Float64Array.from(proj.forward([lng, lat]));
        toDegrees(positions);
        // A tenth of a micrometre.
        expect(Math.abs((positions[0] as number) - lng)).toBeLessThan(1e-12);
        expect(Math.abs((positions[1] as number) - lat)).toBeLessThan(1e-11);
      },
    ),
    { numRuns: 1000 },
  );
});
