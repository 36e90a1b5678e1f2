import { coalesced, silenceMs } from '../platform/database/coalescer.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { openNotifiedCache } from '../platform/database/notified-cache.ts';
import type { NameFault, RegistryName } from './names.ts';
import { windowsEndedSql } from './schedule.ts';

/** The result of looking up a name. */
export type Finding = 'active' | 'pending_release' | 'available' | NameFault;

/** The managed zones, in the order of answers, their letters, and the whois protocol's code, three digits, for each finding. */
export interface RegistryTerms {
  zones: readonly string[];
  /** By zone: the letters of its names besides a to z, digits and the hyphen. */
  letters: ReadonlyMap<string, ReadonlySet<string>>;
  statuses: Readonly<Record<Finding, { code: string; status: string }>>;
}

/** The state of names in the register; missing names are available. */
type TakenNames = ReadonlyMap<string, 'active' | 'pending_release'>;

/** The finding of a name: one that is not taken is available if its zone sells all of its letters. */
export function findingOf(
  name: RegistryName,
  taken: TakenNames | undefined,
  letters: RegistryTerms['letters'],
): Finding {
  return taken?.get(name.domain) ?? (hasLettersOfZone(name, letters) ? 'available' : 'characters');
}

function hasLettersOfZone({ domain, original }: RegistryName, letters: RegistryTerms['letters']): boolean {
  // Every zone sells all letters of an ASCII name.
  if (original === undefined) return true;
  const sold = letters.get(domain.slice(domain.indexOf('.') + 1));
  const label = original.slice(0, original.indexOf('.'));
  return [...label].every((letter) => letter <= '\x7f' || sold?.has(letter));
}

export type Register = Awaited<ReturnType<typeof openRegister>>;

/**
 * Answers which names are taken. A lookup is one statement, however many names it has, and simultaneous lookups share one.
 * @param database the one for lookups; it may be a replica @param notifying the database that notifies of changes to zones and codes
 * @param now the clock by which windows of releases end
 */
export async function openRegister(database: Database, notifying = database, now = () => new Date()) {
  const terms = await openNotifiedCache(notifying, 'registry_terms', () => readTerms(notifying));
  const ask = coalesced<readonly string[], TakenNames>({
    name: 'look up names',
    answer: async (lists) => {
      const taken = await takenNames(database, lists.map((names) => names.join()).join(), now());
      return lists.map(() => taken);
    },
    size: (names) => names.length,
    // Enough names to share the cost of a statement among small requests.
    maxSize: 1_000,
    // While two cores of the database work on some names, this process writes the answers of others.
    concurrency: 3,
    maxWaiting: 10_000,
    byTurn: true,
    withinMs: silenceMs(database),
  });
  return {
    terms: () => terms.get(),
    /** @param names in their stored form. The result may have further names. */
    taken: ask,
    close: terms.close,
  };
}

/**
 * The taken names of a list, as two lists: a row for each would take longer to send and to read than to find. Names released by a run are pending
 * until its window ends; registering one meanwhile works, so a name can be in both. Exported for the benchmark, which gives it to pgbench.
 */
export const takenNamesSql = `
  select string_agg(name, ',') filter (where cancelled is null) as active,
    string_agg(name, ',') filter (where cancelled is not null) as pending
  from (
    select name, cancelled from domain where name = any(string_to_array($1, ','))
    union all
    select name, cancelled from released_domain
    where scheduled_for = any(array(select scheduled_for from release_run where scheduled_for > ${windowsEndedSql('$2::timestamptz')}))
      and name = any(string_to_array($1, ','))
  ) taken`;

/** @param names separated by commas, which no name has */
async function takenNames(db: Queryable, names: string, at: Date): Promise<TakenNames> {
  const { rows } = await db.query<{ active: string | null; pending: string | null }>({
    name: 'taken_names',
    text: takenNamesSql,
    values: [names, at],
  });
  const taken = new Map<string, 'active' | 'pending_release'>();
  for (const name of rows[0]?.pending?.split(',') ?? []) taken.set(name, 'pending_release');
  for (const name of rows[0]?.active?.split(',') ?? []) taken.set(name, 'active');
  return taken;
}

/** The zones and codes of the registry, in one statement and so from one snapshot. */
export async function readTerms(db: Queryable): Promise<RegistryTerms> {
  const { rows } = await db.query<{
    zones: { name: string; letters: string }[];
    statuses: RegistryTerms['statuses'];
  }>(`
    select
      (select coalesce(json_agg(json_build_object('name', name, 'letters', letters) order by position), '[]') from zone) as zones,
      (select json_object_agg(finding, json_build_object('code', code, 'status', status)) from domain_status)
        as statuses`);
  const { zones, statuses } = rows[0] as (typeof rows)[0];
  return {
    zones: zones.map(({ name }) => name),
    letters: new Map(zones.map(({ name, letters }) => [name, new Set(letters)])),
    statuses,
  };
}
