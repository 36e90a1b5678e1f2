import { commandActor } from '../../core/actor.ts';
import { compareNow } from '../../core/coverage/datasets/comparisons.ts';
import { publishSubmission } from '../../core/coverage/datasets/publish.ts';
import { rollBack, unpublish } from '../../core/coverage/datasets/rollback.ts';
import { listVersions } from '../../core/coverage/datasets/versions.ts';
import { requireSubmission, verdictOn } from '../../core/coverage/submissions/views.ts';
import { CovermapError } from '../../core/errors.ts';
import { Attempts } from '../../core/work.ts';
import { type AdminCommands, type AdminContext, wholeNumber } from './command.ts';
import { table } from './table.ts';

export const coverageCommands: AdminCommands = {
  'submission list': {
    help: 'lists the latest submissions',
    async run({ database }) {
      const shown = ['id', 'provider', 'technology', 'scope', 'file', 'state', 'received'] as const;
      const { rows } = await database.query<Record<(typeof shown)[number], string>>(
        `select s.id, p.name as provider, coalesce(
             (select string_agg(t.name, ', ' order by t.nominal_rank)
              from dataset d join technology t on t.id = d.technology_id where d.submission_id = s.id),
             s.manifest ->> 'technology', '') as technology, coalesce(s.manifest ->> 'scope', '') as scope,
           s.file_name as file,
           coalesce('held back: ' || case when s.state = 'ready' and s.manifest ->> 'publish' = 'auto' then (
             select string_agg(reason ->> 'message', ' ') from jsonb_array_elements(s.blocking) as reason) end,
             s.state) as state,
           to_char(s.received_at, 'YYYY-MM-DD HH24:MI') as received
         from submission s join provider p on p.id = s.provider_id
         order by s.received_at desc limit 50`,
      );
      return table(rows, Object.fromEntries(shown.map((name) => [name, name])));
    },
  },
  'submission publish <id> [--confirm <comparison>]': {
    help: 'publishes a loaded submission; where coverage would be lost, this has to be confirmed',
    run: (context, [id = ''], { confirm: comparison }) => publish(context, id, comparison),
  },
  'dataset list': {
    help: 'lists the versions of coverage that are published or can be rolled back to',
    async run({ database }) {
      const versions = await listVersions(database, { providerId: null, limit: 500 });
      return table(
        versions.filter(({ state, can_roll_back }) => state === 'published' || can_roll_back),
        {
          number: 'id',
          provider: ({ provider }) => provider.name,
          technology: 'technology',
          scope: 'scope',
          state: 'state',
          file: 'file_name',
          km2: ({ area_km2 }) => area_km2?.toFixed(1),
        },
      );
    },
  },
  'dataset rollback <number>': {
    help: 'rolls back to an earlier version',
    async run({ database }, [number]) {
      await rollBack(database, new Attempts(database), wholeNumber(number), commandActor);
      return 'Rolled back. Lookups answer from that version now.';
    },
  },
  'dataset unpublish <number>': {
    help: 'takes a published version offline without a replacement',
    async run({ database }, [number]) {
      await unpublish(database, wholeNumber(number), commandActor);
      return 'Offline. Lookups no longer answer from it; to restore it, roll back to it.';
    },
  },
};

async function publish({ database, config }: AdminContext, submissionId: string, comparison?: string) {
  const rules = config.publishBlocks;
  const attempt = () => publishSubmission(database, submissionId, { actor: commandActor, comparison, rules });
  let outcome = await attempt();
  for (; outcome === 'outdated'; outcome = await attempt()) await compareNow(database, submissionId);
  if (outcome === 'unconfirmed') {
    const submission = await requireSubmission(database, submissionId, { providerId: null });
    const { blocking, comparison } = verdictOn(submission, rules);
    throw new CovermapError(
      'losses_unconfirmed',
      blocking.map(({ message }) => message).join('\n'),
      `To publish it anyway: npm run admin -- submission publish ${submissionId} --confirm ${comparison}`,
    );
  }
  return 'Published. Lookups answer from it now.';
}
