import { listZones, setLetters } from '../../registry/zones.ts';
import type { AdminCommands } from './command.ts';
import { table } from './table.ts';

export const registryCommands: AdminCommands = {
  'zone list': {
    help: 'lists the zones of the registry, the letters of their names besides a to z, digits and the hyphen, and which are moderated',
    run: async ({ database }) =>
      table(await listZones(database), {
        zone: 'zone',
        letters: ({ letters }) => letters || 'none',
        moderated: ({ moderated }) => (moderated ? 'moderated' : ''),
      }),
  },
  'zone letters <zone> <letters>': {
    help: 'sets the letters that names of a zone may have besides a to z, digits and the hyphen, as in āēīōū; "none" for no others',
    async run({ database }, [zone = '', letters = '']) {
      const set = await setLetters(database, zone, letters === 'none' ? '' : letters);
      return `Names of ${set.zone} may have a to z, digits, the hyphen${set.letters && `, and ${set.letters}`}.`;
    },
  },
};
