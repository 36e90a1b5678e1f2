import { fuzz, namesByGdal } from '../setup/fuzz.ts';

fuzz(namesByGdal);
