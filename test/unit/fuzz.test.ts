import { fuzz, otherNames } from '../setup/fuzz.ts';

fuzz(otherNames, 100);
