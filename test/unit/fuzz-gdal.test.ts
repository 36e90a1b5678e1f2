import { fuzz, namesByGdal, namesOfMade } from '../setup/fuzz.ts';

fuzz(namesByGdal, 120);
fuzz(namesOfMade, 20);
