import { fuzz, namesByGdal } from '../setup/fuzz.ts';
import { namesOfMade } from '../setup/made-files.ts';
import { sampled } from '../setup/rounds.ts';

fuzz(namesByGdal, sampled(20, 120));
fuzz(namesOfMade, sampled(5, 20));
