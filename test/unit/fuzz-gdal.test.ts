import { fuzz, namesByGdal, namesOfMade } from '../setup/fuzz.ts';
import { sampled } from '../setup/rounds.ts';

fuzz(namesByGdal, sampled(40, 120));
fuzz(namesOfMade, sampled(5, 20));
