import { nztmPrj, wgs84Prj } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { readDefinition, withoutName } from '../../ingest/systems/known-systems.ts';

/* The name of a reference system that an operator reads: never "unnamed". */

const geographic = (name: string, more = '') =>
  `GEOGCS["${name}",DATUM["unknown",SPHEROID["x",6377563.396,299.3249646]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]${more}]`;
const projected = `PROJCS["unnamed",${geographic('unnamed')},PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",171],UNIT["metre",1]]`;

test.each([
  ['its name', wgs84Prj, /WGS.1984/],
  ['its name', nztmPrj, /NZGD.*2000|New_Zealand/],
  ['its name, also an odd one', geographic('Custom grid of the council'), /^Custom grid of the council$/],
  ['its code', geographic('unnamed', ',AUTHORITY["EPSG","4277"]'), /^EPSG:4277$/],
  ['what it is', geographic('unknown'), /^degrees, no system named$/],
  ['what it is', geographic(''), /^degrees, no system named$/],
  ['what it is', projected, /^a projection without a name$/],
])('%s: %s', (_, definition, name) => {
  const read = readDefinition(definition);
  if (!read) throw new Error('not read');
  expect(read.name ?? withoutName(read.described)).toMatch(name);
});
