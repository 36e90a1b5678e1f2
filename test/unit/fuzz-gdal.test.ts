import { fuzz, namesByGdal, namesOfMade } from '../setup/fuzz.ts';

fuzz(namesByGdal, 40);
fuzz(namesOfMade, 8);
