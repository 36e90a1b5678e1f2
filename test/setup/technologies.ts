import type { KnownTechnology } from '../../ingest/attributes/words.ts';

/** The technologies of a new database, for tests without one: `test/service/technologies.test.ts` compares. */
export const technologies: KnownTechnology[] = [
  {
    ...{ name: 'fibre', label: 'Fibre', plausibleMbps: 10_000, codes: ['50'] },
    words: 'fiber, fibre optic, fiber optic, optical fibre, optical fiber, fttp, ftth, fttb, gpon, pon, xgspon, xgs pon, ufb'.split(', '), // biome-ignore format: a line
  },
  { name: 'cable', label: 'Cable', plausibleMbps: 10_000, codes: ['40'], words: ['hfc', 'coax', 'docsis'] },
  { name: 'vdsl', label: 'VDSL', plausibleMbps: 1_000, codes: [], words: ['fttn', 'fttc'] },
  {
    ...{ name: 'wireless', label: 'Wireless', plausibleMbps: 5_000, codes: ['70', '71', '72'] },
    words: 'fwa, fixed wireless, fixed wireless access, rbi, wisp, wimax, lte, 4g, 5g'.split(', '),
  },
  { name: 'adsl', label: 'ADSL', plausibleMbps: 100, codes: ['10'], words: ['dsl', 'copper'] },
];
