import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../platform/database/database.ts';
import { openNotifiedCache } from '../platform/database/notified-cache.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { type Actor, commandActor } from './actor.ts';
import { record } from './audit.ts';

type Address = ReturnType<typeof ipaddr.process>;

/** The shortest prefixes that are accepted. Bits */
const minPrefix = { ipv4: 8, ipv6: 16 };

/** Max addresses in memory with their registrars. */
const maxKnownAddresses = 1_000;

/** Reads an address for comparison; undefined for other texts. IPv4 written as IPv6 is IPv4, a zone of the interface is ignored. */
export function readAddress(text: string | undefined): Address | undefined {
  // The library alone would also accept octal and hexadecimal parts, and fewer than four.
  if (text === undefined || isIP(text) === 0) return undefined;
  return ipaddr.process(text.split('%', 1)[0] ?? '');
}

/** An address, or a network as in `192.0.2.0/24` or `2001:db8::/32`, as the list holds it. @throws CovermapError `network_invalid` */
export function readNetwork(text: string): string {
  const [, addressText, lengthText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = readAddress(addressText);
  if (!address) throw invalid(text, 'It is not an address.');
  const mapped = address.kind() === 'ipv4' && addressText?.includes(':');
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const length = lengthText === undefined ? bits : Number(lengthText) - (mapped ? 96 : 0);
  if (length > bits || length < 0) {
    throw invalid(text, `The prefix length is at most ${mapped ? 128 : bits}.`);
  }
  if (length < minPrefix[address.kind()]) {
    throw invalid(
      text,
      `It is wider than /${minPrefix[address.kind()]}: no registrar has so many addresses.`,
    );
  }
  const cidr = `${address.toString()}/${length}`;
  const network = ipaddr[address.kind() === 'ipv4' ? 'IPv4' : 'IPv6'].networkAddressFromCIDR(cidr).toString();
  if (network !== address.toString())
    throw invalid(text, `The network with that prefix length is ${network}/${length}.`);
  return cidr;
}

function invalid(text: string, why: string): CovermapError {
  const hint = 'Give an address, or a network as in 192.0.2.0/24 or 2001:db8::/32.';
  return new CovermapError('network_invalid', `${text} cannot be allowed as a network. ${why}`, hint);
}

/**
 * Lets a registrar, created where there is none of that name, ask from a network. @returns it as it is on the list
 * @param options `localOnly`: callers on this machine alone; for the demo @throws CovermapError `network_invalid`
 */
export async function allowNetwork(
  db: Database,
  registrar: string,
  network: string,
  { actor = commandActor, localOnly = false }: { actor?: Actor; localOnly?: boolean } = {},
): Promise<string> {
  const cidr = readNetwork(network);
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into registrar as r (name) values (${registrar})
      on conflict (lower(name)) do update set name = r.name
      returning id`);
    const { rowCount } = await connection.query(sql`
      insert into registrar_network (registrar_id, network, local_only)
      values (${rows[0]?.id}, ${cidr}, ${localOnly})
      on conflict do nothing`);
    if (rowCount === 0) return;
    await record(connection, actor, { action: 'registrar_allowed', details: { registrar, network: cidr } });
  });
  return cidr;
}

/** Takes a network off a registrar's list. @returns it as it was there @throws CovermapError `network_invalid`, `network_not_listed` */
export async function denyNetwork(db: Database, registrar: string, network: string): Promise<string> {
  const cidr = readNetwork(network);
  await db.transaction(async (connection) => {
    const { rowCount } = await connection.query(sql`
      delete from registrar_network n using registrar r
      where r.id = n.registrar_id and lower(r.name) = lower(${registrar}) and n.network = ${cidr}`);
    if (rowCount === 0) {
      throw new CovermapError('network_not_listed', `${registrar} has no network ${cidr}.`, listHint);
    }
    const details = { registrar, network: cidr };
    await record(connection, commandActor, { action: 'registrar_denied', details });
  });
  return cidr;
}

const listHint = 'List them with: npm run admin -- registrar list';

/** Removes a registrar with all its networks. @throws CovermapError `registrar_unknown` */
export async function removeRegistrar(db: Database, registrar: string): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ registrar: string }>(sql`
      delete from registrar where lower(name) = lower(${registrar}) returning name as registrar`);
    const [details] = rows;
    if (!details) {
      throw new CovermapError('registrar_unknown', `There is no registrar ${registrar}.`, listHint);
    }
    await record(connection, commandActor, { action: 'registrar_removed', details });
  });
}

/** The networks of all registrars; null for a registrar without any. `created_at`: when the network or the registrar was added. */
export async function listNetworks(db: Queryable) {
  const { rows } = await db.query<{ registrar: string; network: string | null; created_at: Date }>(
    `select r.name as registrar, n.network::text as network, coalesce(n.created_at, r.created_at) as created_at
     from registrar r left join registrar_network n on n.registrar_id = r.id
     order by lower(r.name), n.network`,
  );
  return rows;
}

/** Knows the registrars of addresses, without a query for each request. */
export async function openRegistrarList(database: Database) {
  const list = await openNotifiedCache(database, 'registrar_network', async () =>
    finderIn(await readNetworks(database)),
  );
  return {
    /** The registrar's id, of several the one with the narrowest network; undefined: not on the list. @param isLocal on this machine */
    async registrarAt(text: string | undefined, isLocal: boolean): Promise<number | undefined> {
      if (text === undefined) return undefined;
      const { ofAnyone, ofLocal } = (await list.get())(text);
      return isLocal ? ofLocal : ofAnyone;
    },
    close: list.close,
  };
}

/** Finds the registrar of an address: for any caller, and for one on this machine, which more networks admit. */
function finderIn(networks: readonly Network[]) {
  const lookUp = (text: string) => {
    const address = readAddress(text);
    const found = networks.filter(
      ({ network, length }) => network.kind() === address?.kind() && address.match(network as never, length),
    );
    return { ofAnyone: found.find(({ localOnly }) => !localOnly)?.registrar, ofLocal: found[0]?.registrar };
  };
  // The same few callers ask repeatedly.
  const known = new LRUCache<string, ReturnType<typeof lookUp>>({ max: maxKnownAddresses });
  return (text: string) => {
    const found = known.get(text) ?? lookUp(text);
    known.set(text, found);
    return found;
  };
}

interface Network {
  registrar: number;
  network: Address;
  length: number;
  localOnly: boolean;
}

/** The narrowest first; of two registrars with the same, the older. */
async function readNetworks(db: Queryable): Promise<Network[]> {
  const { rows } = await db.query<Omit<Network, 'network'> & { address: string }>(
    `select registrar_id as registrar, host(network) as address, masklen(network) as length, local_only as "localOnly"
     from registrar_network order by masklen(network) desc, registrar_id`,
  );
  return rows.map(({ address, ...row }) => ({ ...row, network: ipaddr.parse(address) }));
}
