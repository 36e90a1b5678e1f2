import { commandActor } from '../core/access/actor.ts';
import { createKey } from '../core/access/api-keys.ts';
import { createToken, listTokens, revokeToken, type TokenOwner, tokenDays } from '../core/access/tokens.ts';
import { customerByName } from '../core/billing/customers.ts';
import { archiveSuperseded } from '../core/coverage/datasets/archive.ts';
import { compareNow } from '../core/coverage/datasets/compare.ts';
import { type Publication, publishSubmission } from '../core/coverage/datasets/publish.ts';
import { rollBack, unpublish } from '../core/coverage/datasets/rollback.ts';
import { listVersions } from '../core/coverage/datasets/versions.ts';
import { listProviders } from '../core/coverage/lookup/providers.ts';
import { isWebAddress, webAddress } from '../core/coverage/submissions/manifest.ts';
import { verdictOn, viewSubmission } from '../core/coverage/submissions/views.ts';
import type { Database } from '../core/database/database.ts';
import { CovermapError } from '../core/errors.ts';
import { Attempts } from '../core/work.ts';
import { administerBilling, billingUsage } from './administer-billing.ts';
import { administerRegistrars } from './administer-registrars.ts';
import type { Application } from './application.ts';
import { day, table } from './table.ts';

export const usage = `Usage: npm run admin -- <command>

  key create <customer> [<label>]
                               a new API key for a customer, created where the name is new and no label is given
  key list                     the keys, by customer
  key revoke <number>          ends a key
  token create operator <provider> <name> [--url <address>] [--days <number>]
                               a new token for an operator, who acts for that provider; good for 365 days unless said
                               otherwise. The provider is created where the name is new, with its web address
  token create staff <name> [--days <number>]
                               a new token for a member of staff
  token create customer <customer> <name> [--days <number>]
                               a new token for a customer's own account
  token list                   the tokens, staff first
  token revoke <number>        ends a token, and the sessions begun with it
  submission list              the latest submissions
  submission publish <id> [--confirm <comparison>]
                               publishes a loaded submission; what would be lost has to be confirmed
  dataset list                 the versions of coverage that are published or can be rolled back to
  dataset rollback <number>    makes an earlier version current again
  dataset unpublish <number>   takes a published version offline: nothing takes its place
  registrar list               the networks that registrars may ask from
  registrar allow <registrar> <network>
                               lets a registrar, created where the name is new, ask from an address or a network
  registrar deny <registrar> <network>
                               takes a network off its list
  registrar remove <registrar> takes a registrar off the list, with all its networks
${billingUsage}`;

/**
 * Does what the words say; gives the text to print.
 * @throws CovermapError `usage` and what the command itself throws
 */
export async function administer(application: Application, words: string[]): Promise<string> {
  const [noun, verb, ...rest] = words;
  const [argument] = rest;
  const { database, config } = application;
  if (noun === 'registrar') {
    const done = await administerRegistrars(database, verb, rest);
    if (done === undefined) throw misused();
    return done;
  }
  if (['customer', 'plan', 'invoice', 'ledger', 'key'].includes(noun ?? '')) {
    if (verb === 'create' && noun === 'key' && rest.length === 1 && argument?.trim()) {
      const key = await createKey(database, argument.trim());
      return `${key}\nKeep it now: only a hash of it is stored.`;
    }
    const done = await administerBilling(database, noun, verb, rest, config.confirmFromCents);
    if (done === undefined) throw misused();
    return done;
  }
  const several = ['token create', 'submission publish'];
  if (rest.length > 1 && !several.includes(`${noun} ${verb}`)) throw misused();
  switch (`${noun} ${verb}`) {
    case 'token create': {
      const { words: given, days, url } = tokenOptions(rest.map((word) => word.trim()));
      const [role, ...names] = given;
      const [whom = '', name] = role === 'staff' ? ['', ...names] : names;
      const expected = { operator: 2, customer: 2, staff: 1 }[role ?? ''];
      if (names.length !== expected || names.includes('') || !name) throw misused();
      if (url !== undefined && role !== 'operator') throw misused();
      const owner: TokenOwner =
        role === 'operator'
          ? { role, provider: whom, url }
          : role === 'customer'
            ? { role, customerId: await customerByName(database, whom) }
            : { role: 'staff' };
      const token = await createToken(database, owner, name, commandActor, { days });
      const [provider] = role === 'operator' ? await providersCalled(database, whom) : [];
      const note =
        provider?.url === ''
          ? `\n${whom} has no web address yet, which every answer shows: nothing is published before it is given, on /operator or with --url for a new provider.`
          : '';
      return `${token}\nKeep it now: only a hash of it is stored. It is good for ${days} days.${note}`;
    }
    case 'token list': {
      const tokens = await listTokens(database);
      return table(
        ['number', 'role', 'of', 'name', 'token', 'created', 'expires', 'state'],
        tokens.map((token) => [
          String(token.id),
          token.role,
          token.provider ?? token.customer ?? '',
          token.name,
          token.hint,
          day(token.created_at),
          day(token.expires_at),
          token.state,
        ]),
      );
    }
    case 'token revoke': {
      const id = numbered(argument);
      await revokeToken(database, id, commandActor);
      return `Token ${id} is revoked.`;
    }
    case 'submission list': {
      const { rows } = await database.query<
        Record<'id' | 'provider' | 'technology' | 'scope' | 'file' | 'state' | 'received', string> & {
          held: string | null;
        }
      >(
        `select s.id, p.name as provider, coalesce(
             (select string_agg(t.name, ', ' order by t.nominal_rank)
              from dataset d join technology t on t.id = d.technology_id where d.submission_id = s.id),
             s.manifest ->> 'technology', '') as technology, coalesce(s.manifest ->> 'scope', '') as scope,
           s.file_name as file, s.state,
           case when s.state = 'ready' and s.manifest ->> 'publish' = 'auto' then (
             select string_agg(reason ->> 'message', ' ') from jsonb_array_elements(s.blocking) as reason) end as held,
           to_char(s.received_at, 'YYYY-MM-DD HH24:MI') as received
         from submission s join provider p on p.id = s.provider_id
         order by s.received_at desc limit 50`,
      );
      return table(
        ['id', 'provider', 'technology', 'scope', 'file', 'state', 'received'],
        rows.map(({ id, provider, technology, scope, file, state, received, held }) => [
          id,
          provider,
          technology,
          scope,
          file,
          held === null ? state : `held back: ${held}`,
          received,
        ]),
      );
    }
    case 'submission publish':
      if (!argument || ![1, 3].includes(rest.length) || (rest[1] ?? '--confirm') !== '--confirm') {
        throw misused();
      }
      return publish(application, argument, rest[2]);
    case 'dataset list': {
      const versions = await listVersions(database, { providerId: null, limit: 500 });
      return table(
        ['number', 'provider', 'technology', 'scope', 'state', 'file', 'km2'],
        versions
          .filter(({ state, can_roll_back }) => state === 'published' || can_roll_back)
          .map((one) => [
            String(one.id),
            one.provider.name,
            one.technology,
            one.scope,
            one.state,
            one.file_name,
            one.area_km2 === null ? '' : one.area_km2.toFixed(1),
          ]),
      );
    }
    case 'dataset unpublish':
      await unpublish(database, numbered(argument), commandActor);
      return 'Offline. Lookups answer from it no more; to bring it back, roll back to it.';
    case 'dataset rollback':
      await rollBack(database, new Attempts(database), numbered(argument), commandActor);
      return 'Rolled back. Lookups answer from that version now.';
    default:
      throw misused();
  }
}

async function publish(
  { database, config }: Application,
  submissionId: string,
  comparison: string | undefined,
): Promise<string> {
  const rules = config.publishBlocks;
  let outcome: Publication;
  do {
    outcome = await publishSubmission(database, submissionId, { actor: commandActor, comparison, rules });
    if (outcome === 'outdated') await compareNow(database, submissionId);
  } while (outcome === 'outdated');
  if (outcome === 'unconfirmed') {
    const submission = await viewSubmission(database, submissionId, { providerId: null });
    const verdict = submission && verdictOn(submission, rules);
    throw new CovermapError(
      'losses_unconfirmed',
      verdict?.blocking.map(({ message }) => message).join('\n') ?? '',
      `To publish it all the same: npm run admin -- submission publish ${submissionId} --confirm ${verdict?.comparison}`,
    );
  }
  await archiveSuperseded(database, submissionId, config.keptVersions);
  return 'Published. Lookups answer from it now.';
}

/** Takes an option with its value out of the words, wherever it stands. */
function takeOption(words: string[], option: string): { words: string[]; value: string | undefined } {
  const at = words.indexOf(option);
  if (at < 0) return { words, value: undefined };
  const value = words[at + 1];
  if (value === undefined) throw misused();
  return { words: words.toSpliced(at, 2), value };
}

function tokenOptions(given: string[]): { words: string[]; days: number; url: string | undefined } {
  const { words: withoutDays, value } = takeOption(given, '--days');
  const { words, value: url } = takeOption(withoutDays, '--url');
  const days = value === undefined ? tokenDays.usual : numbered(value);
  if (days < 1 || days > tokenDays.longest) throw misused();
  if (url !== undefined && !isWebAddress(url)) {
    throw new CovermapError('usage', `${url} is no web address such as https://example.nz/.`);
  }
  return { words, days, url: url && webAddress(url) };
}

async function providersCalled(database: Database, name: string): Promise<{ url: string }[]> {
  const all = await listProviders(database, null);
  return all.filter((provider) => provider.name.toLowerCase() === name.toLowerCase());
}

function numbered(word: string | undefined): number {
  if (!word || !/^\d{1,9}$/.test(word)) throw misused();
  return Number(word);
}

function misused(): CovermapError {
  return new CovermapError('usage', 'That is not a command.', `\n${usage}`);
}
