import { fuzz, otherNames } from '../setup/fuzz.ts';
import { sampled } from '../setup/rounds.ts';

fuzz(otherNames, sampled(20, 300));
