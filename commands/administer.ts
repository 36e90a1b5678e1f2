import { createKey, listKeys, revokeKey } from '../core/access/api-keys.ts';
import { archiveSuperseded, publishSubmission } from '../core/coverage/datasets.ts';
import { CovermapError } from '../core/errors.ts';
import { administerRegistrars } from './administer-registrars.ts';
import type { Application } from './application.ts';
import { day, table } from './table.ts';

const usage = `Usage: npm run admin -- <command>

  key create <customer>        a new API key for a customer, created where the name is new
  key list                     the keys, by customer
  key revoke <number>          ends a key
  submission list              the latest submissions
  submission publish <id>      publishes a loaded submission
  registrar list               the networks that registrars may ask from
  registrar allow <registrar> <network>
                               lets a registrar, created where the name is new, ask from an address or a network
  registrar deny <registrar> <network>
                               takes a network off its list
  registrar remove <registrar> takes a registrar off the list, with all its networks`;

/**
 * Does what the words say; gives the text to print.
 * @throws CovermapError `usage` and what the command itself throws
 */
export async function administer(application: Application, words: string[]): Promise<string> {
  const [noun, verb, ...rest] = words;
  const [argument] = rest;
  const { database } = application;
  if (noun === 'registrar') {
    const done = await administerRegistrars(database, verb, rest);
    if (done === undefined) throw misused();
    return done;
  }
  if (rest.length > 1) throw misused();
  switch (`${noun} ${verb}`) {
    case 'key create': {
      if (!argument?.trim()) throw misused();
      const key = await createKey(database, argument.trim());
      return `${key}\nKeep it now: only a hash of it is stored.`;
    }
    case 'key list': {
      const keys = await listKeys(database);
      return table(
        ['number', 'customer', 'key', 'created', 'revoked'],
        keys.map((key) => [String(key.id), key.customer, key.hint, day(key.created_at), day(key.revoked_at)]),
      );
    }
    case 'key revoke': {
      if (!argument || !/^\d{1,9}$/.test(argument)) throw misused();
      await revokeKey(database, Number(argument));
      return `Key ${argument} is revoked.`;
    }
    case 'submission list': {
      const { rows } = await database.query<
        Record<'id' | 'provider' | 'technology' | 'file' | 'state' | 'received', string>
      >(
        `select s.id, p.name as provider, coalesce(
             (select string_agg(t.name, ', ' order by t.nominal_rank)
              from dataset d join technology t on t.id = d.technology_id where d.submission_id = s.id),
             s.manifest ->> 'technology', '') as technology, s.file_name as file, s.state,
           to_char(s.received_at, 'YYYY-MM-DD HH24:MI') as received
         from submission s join provider p on p.id = s.provider_id
         order by s.received_at desc limit 50`,
      );
      return table(
        ['id', 'provider', 'technology', 'file', 'state', 'received'],
        rows.map((row) => [row.id, row.provider, row.technology, row.file, row.state, row.received]),
      );
    }
    case 'submission publish':
      if (!argument) throw misused();
      return publish(application, argument);
    default:
      throw misused();
  }
}

async function publish({ database, config }: Application, submissionId: string): Promise<string> {
  const state = await publishSubmission(database, submissionId);
  await archiveSuperseded(database, submissionId, config.keptVersions);
  return state === 'published'
    ? 'Published. Lookups answer from it now.'
    : 'Not published: a later submission of the same coverage is published already.';
}

function misused(): CovermapError {
  return new CovermapError('usage', 'That is not a command.', `\n${usage}`);
}
