import { commandActor } from '../../access/actor.ts';
import {
  addKey,
  createKey,
  customerOfKey,
  listKeys,
  overlapHours,
  revokeKey,
  rotateKey,
} from '../../access/api-keys.ts';
import { allowNetwork, denyNetwork, listNetworks, removeRegistrar } from '../../access/registrars.ts';
import { createToken, listTokens, revokeToken, type TokenOwner, tokenDays } from '../../access/tokens.ts';
import { customerByName } from '../../billing/customers.ts';
import { isWebAddress, webAddress } from '../../coverage/providers/profile.ts';
import { listProviders, operatorOf } from '../../coverage/providers/providers.ts';
import type { Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import { originOf } from '../../platform/web-origin.ts';
import { type AdminCommands, wholeNumber } from './command.ts';
import { table } from './table.ts';

const keepIt = 'Keep it now: only a hash of it is stored.';

export const accessCommands: AdminCommands = {
  'key create <customer> [<label>] [<origin>]': {
    help: 'creates an API key, and the customer where the name is new and no label is given; with an origin for /embed in its pages',
    async run({ database }, [customer = '', label, pages]) {
      if (label === undefined) return `${await createKey(database, customer)}\n${keepIt}`;
      const id = await customerByName(database, customer);
      const origin = pages === undefined ? undefined : originOf(pages);
      if (pages !== undefined && origin === undefined)
        throw new CovermapError('usage', `${pages} is not an origin such as https://example.nz.`);
      return `${(await addKey(database, id, { label, origin }, commandActor)).secret}\n${keepIt}`;
    },
  },
  'key list': {
    help: 'lists the keys, by customer',
    run: async ({ database }) =>
      table(await listKeys(database), {
        number: 'id',
        customer: 'customer',
        label: 'label',
        origin: 'origin',
        key: 'hint',
        created: 'created_at',
        expires: 'expires_at',
        revoked: 'revoked_at',
      }),
  },
  'key rotate <number> [<hours>]': {
    help: `replaces a key by a new one; the old one stays active for ${overlapHours.default} hours unless given`,
    async run({ database }, [number, overlap]) {
      const id = wholeNumber(number);
      const hours = overlap === undefined ? overlapHours.default : wholeNumber(overlap);
      if (hours > overlapHours.max) throw new CovermapError('usage', `At most ${overlapHours.max} hours.`);
      const customerId = await customerOfKey(database, id);
      const { secret, replaced } = await rotateKey(database, customerId, id, hours, commandActor);
      return `${secret}\n${keepIt} Key ${id} expires at ${replaced.expires_at?.toISOString()}.`;
    },
  },
  'key revoke <number>': {
    help: 'revokes a key',
    async run({ database }, [number]) {
      const id = wholeNumber(number);
      await revokeKey(database, id);
      return `Key ${id} is revoked.`;
    },
  },
  'token create operator <provider> <name> [--url <address>] [--days <number>]': {
    help: `creates a token for an operator, who acts for that provider, valid for ${tokenDays.default} days unless given; creates the provider where its name is new, with its web address`,
    async run({ database }, [provider = '', name = ''], { url, days }) {
      if (url !== undefined && !isWebAddress(url))
        throw new CovermapError('usage', `${url} is not a web address such as https://example.nz/.`);
      const owner = operatorOf(provider, url && webAddress(url));
      const created = await newToken(database, owner, name, days);
      const providers = await listProviders(database, null);
      const known = providers.find(({ name }) => name.toLowerCase() === provider.toLowerCase());
      const note = `${provider} has no web address yet, which every answer shows: nothing can be published until it is set, on /operator or with --url for a new provider.`;
      return known?.url === '' ? `${created}\n${note}` : created;
    },
  },
  'token create staff <name> [--days <number>]': {
    help: 'creates a token for a member of staff',
    run: ({ database }, [name = ''], { days }) => newToken(database, { role: 'staff' }, name, days),
  },
  'token create customer <customer> <name> [--days <number>]': {
    help: "creates a token for a customer's own account",
    async run({ database }, [customer = '', name = ''], { days }) {
      const customerId = await customerByName(database, customer);
      return newToken(database, { role: 'customer', customerId }, name, days);
    },
  },
  'token list': {
    help: 'lists the tokens, staff first',
    run: async ({ database }) =>
      table(await listTokens(database), {
        number: 'id',
        role: 'role',
        of: ({ provider, customer }) => provider ?? customer,
        name: 'name',
        token: 'hint',
        created: 'created_at',
        expires: 'expires_at',
        state: 'state',
      }),
  },
  'token revoke <number>': {
    help: 'revokes a token, and ends the sessions that began with it',
    async run({ database }, [number]) {
      const id = wholeNumber(number);
      await revokeToken(database, id, commandActor);
      return `Token ${id} is revoked.`;
    },
  },
  'registrar list': {
    help: 'lists the networks that registrars may ask from',
    run: async ({ database }) =>
      table(await listNetworks(database), {
        registrar: 'registrar',
        network: ({ network }) => network ?? 'none',
        since: 'created_at',
      }),
  },
  'registrar allow <registrar> <network>': {
    help: 'lets a registrar, created where the name is new, ask from an address or a network',
    async run({ database }, [registrar = '', network = '']) {
      return `${registrar} may ask from ${await allowNetwork(database, registrar, network)}.`;
    },
  },
  'registrar deny <registrar> <network>': {
    help: "removes a network from the registrar's list",
    async run({ database }, [registrar = '', network = '']) {
      return `${registrar} may no longer ask from ${await denyNetwork(database, registrar, network)}.`;
    },
  },
  'registrar remove <registrar>': {
    help: 'removes a registrar with all its networks',
    async run({ database }, [registrar = '']) {
      await removeRegistrar(database, registrar);
      return `${registrar} may no longer ask.`;
    },
  },
};

async function newToken(database: Database, owner: TokenOwner, name: string, givenDays: string | undefined) {
  const days = givenDays === undefined ? tokenDays.default : wholeNumber(givenDays);
  if (days < 1 || days > tokenDays.max)
    throw new CovermapError('usage', `--days takes 1 to ${tokenDays.max}.`);
  const token = await createToken(database, owner, name, commandActor, { days });
  return `${token}\n${keepIt} It expires in ${days} days.`;
}
