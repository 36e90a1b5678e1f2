import { fuzz, namesByGdal, namesOfMade, otherNames } from '../setup/fuzz.ts';
import { rounds } from '../setup/rounds.ts';

// Few of these are left in npm test, where test/unit/fuzz.test.ts and fuzz-gdal.test.ts damage as many.
fuzz([...otherNames, ...namesByGdal, ...namesOfMade], rounds(1, 720));
