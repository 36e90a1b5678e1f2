import { allowNetwork, denyNetwork, listNetworks, removeRegistrar } from '../core/access/registrars.ts';
import type { Database } from '../core/database/database.ts';
import { day, table } from './table.ts';

/**
 * What staff do with the list of addresses that registrars ask from.
 * @returns the text to print; undefined where the words are none of its commands
 */
export async function administerRegistrars(
  database: Database,
  verb: string | undefined,
  words: string[],
): Promise<string | undefined> {
  const [registrar = '', network = ''] = words.map((word) => word.trim());
  switch (`${verb} ${words.filter((word) => word.trim()).length}/${words.length}`) {
    case 'list 0/0': {
      const networks = await listNetworks(database);
      return table(
        ['registrar', 'network', 'since'],
        networks.map((row) => [row.registrar, row.network ?? 'none', day(row.created_at)]),
      );
    }
    case 'allow 2/2':
      return `${registrar} may ask from ${await allowNetwork(database, registrar, network)}.`;
    case 'deny 2/2':
      return `${registrar} may no longer ask from ${await denyNetwork(database, registrar, network)}.`;
    case 'remove 1/1':
      await removeRegistrar(database, registrar);
      return `${registrar} may no longer ask.`;
    default:
      return undefined;
  }
}
