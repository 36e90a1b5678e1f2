import { fuzz, namesByGdal, otherNames } from '../setup/fuzz.ts';
import { namesOfMade } from '../setup/made-files.ts';
import { rounds } from '../setup/rounds.ts';

// One of each in npm run test:all, where test/exhaustive/fuzz.test.ts and fuzz-gdal.test.ts damage dozens.
fuzz([...otherNames, ...namesByGdal, ...namesOfMade], rounds(1, 720));
