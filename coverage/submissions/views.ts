import { z } from 'zod';
import type { Viewer } from '../../access/actor.ts';
import { processingFeeCents } from '../../billing/processing-fees.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { ErrorReport } from '../../platform/error-report.ts';
import { CovermapError } from '../../platform/errors.ts';
import { cents, codedMessage, NamedProvider, named, time, timeText } from '../../platform/schemas.ts';
import {
  type Blocking,
  type BlockingRules,
  type Candidate,
  countedChange,
  differences,
  judge,
  lossCodes,
  type Verdict,
} from '../datasets/blocking.ts';
import { LostArea } from '../datasets/lost-areas.ts';
import { premisesFields } from '../datasets/premises-change.ts';
import { isCompared, isGroundCompared, joinPublished, premisesState } from '../datasets/scopes.ts';
import { versionFields } from '../datasets/versions.ts';
import { excludedKm2, ownWarnings } from '../exclusions/remakes.ts';
import { isCounted } from '../premises/counted.ts';
import {
  addressMissing,
  type ProfileOfSubmission,
  profileKept,
  profileOfSubmission,
} from '../providers/providers.ts';
import { note, processedBy } from '../submission-fields.ts';
import {
  type SubmissionState,
  submissionKinds,
  submissionStates,
  unfinishedStates,
} from '../submission-states.ts';
import type { Manifest } from './manifest.ts';
import { modellingStates } from './modelling.ts';
import { modellingParameters } from './modelling-parameters.ts';
import { type ModellingReport, modellingReportFields } from './modelling-report.ts';
import { waitsForPrediction } from './predictions.ts';
import type { IngestReport } from './report.ts';
import { progressFields } from './submissions.ts';

/* Submissions as people see them. Areas are km2, boxes [west, south, east, north] in degrees. */

export const SubmissionStatus = named('SubmissionStatus', z.enum(submissionStates));
export const ModellingParameters = named('ModellingParameters', modellingParameters);

const Progress = named('Progress', { ...progressFields, percent: z.int().min(0).max(100) });

export const PremisesChange = named('PremisesChange', premisesFields);

/** The areas of a ready or published dataset and of the one that it replaces. */
const Change = named('Change', {
  compared_with: z.int().nullable(),
  current: z.boolean().describe('Whether `compared_with` is still live.'),
  ...differences,
  premises: PremisesChange.optional().describe('Once they are counted, where addresses were imported.'),
});

export const premisesStates = ['counting', 'counted', 'unknown'] as const;
const PremisesOfDataset = named('PremisesOfDataset', {
  state: z
    .enum(premisesStates)
    .describe(
      '`counting`: not counted yet with the addresses of now, or not compared yet with what is live now.',
    ),
  covered: z.int().nullable().describe('In service by this version; null until they are counted.'),
});

const SubmissionDataset = named('SubmissionDataset', {
  ...versionFields,
  published_at: timeText().nullable(),
  superseded_at: timeText().nullable(),
  /** Null where nothing is published, or the difference is not known. */
  change: Change.nullable(),
  premises: PremisesOfDataset.optional().describe('Where addresses were imported.'),
});

const storedFile = { name: z.string(), size_bytes: z.int() };

const Prediction = named('Prediction', {
  file: z.object(storedFile),
  attached_at: timeText(),
  error: ErrorReport.nullable(),
});

const Modelling = named('Modelling', {
  state: z
    .enum(modellingStates)
    .describe(
      '`waiting`: a worker models it, or will. `done`: the prediction is the service’s. `declined`: staff decide, for the reason. `cancelled`: staff attached a prediction or refused the towers, or the submission was withdrawn.',
    ),
  reason: ErrorReport.nullable().describe('Why staff have to decide.'),
  parameters: ModellingParameters.describe('As they were asked for.'),
  report: z
    .object(modellingReportFields)
    .nullable()
    .describe('What was modelled, and of what; where one submission is asked for.')
    .optional(),
  signal: z.object({ size_bytes: z.int() }).nullable().describe('The strongest signal, at `links.signal`.'),
  requested_at: timeText(),
  finished_at: timeText().nullable(),
});

const rowFields = {
  id: z.uuid(),
  status: SubmissionStatus,
  revision: z.int().describe('Increases with every change.'),
  provider: NamedProvider,
  technologies: z.array(z.string()),
  kind: z.enum(submissionKinds),
  processed_by: processedBy(),
  processing_fee_cents: cents(
    'The fee that publishing charges. Cents, excluding GST; null if none.',
  ).nullable(),
  publish: z.enum(['auto', 'review']),
  file: z.object({ ...storedFile, sha256: z.string() }),
  towers: z.object({ count: z.int() }).nullable(),
  prediction: Prediction.nullable(),
  modelling: Modelling.nullable().describe('What the service models of towers; null where only staff do.'),
  submitted_by: z.string().nullable(),
  remakes: z
    .uuid()
    .nullable()
    .describe('The submission whose file is loaded again, as exclusions have changed.'),
  note: note(),
  received_at: time(),
  started_at: time().nullable(),
  finished_at: time().nullable(),
  error: ErrorReport.nullable(),
};

export const submissionFields = {
  ...rowFields,
  finished: z.boolean().describe('Whether processing is finished until somebody acts.'),
  waiting_for: z.enum(['prediction', 'publish']).nullable(),
  progress: Progress.nullable(),
  blocking: z.array(codedMessage).describe('To confirm before publication: large losses, warnings.'),
  comparison: z
    .string()
    .nullable()
    .describe(
      'The ID of the comparison with the live coverage. Send it when publishing, to confirm `blocking`. Null if there is none yet.',
    ),
  comparing: z.boolean().describe('Whether the comparison with the live coverage is running.'),
  held_back: z.boolean().describe('Whether automatic publication waits because of `blocking`.'),
  datasets: z.array(SubmissionDataset),
};

export const lostAreas = z.array(z.object({ dataset_id: z.int(), areas: z.array(LostArea) }));

export interface SubmissionView extends z.output<z.ZodObject<typeof rowFields>> {
  progress: Omit<z.output<typeof Progress>, 'percent'> | null;
  datasets: ViewedDataset[];
  internal: {
    storage_key: string;
    held_for: Blocking[] | null;
    warnings: Blocking[];
    profile: ProfileOfSubmission;
    has_premises: boolean;
  };
}

interface ViewedDataset extends Omit<z.output<typeof SubmissionDataset>, 'change' | 'premises'>, Candidate {
  is_ground_compared: boolean;
  was_compared: boolean;
  /** Of a version that is no longer compared: null without addresses, and where its areas are no longer kept. */
  in_service: z.output<typeof PremisesOfDataset> | null;
}

export interface SubmissionDetail extends SubmissionView {
  manifest: Manifest;
  modelling_report: ModellingReport | null;
  lost_areas: z.output<typeof lostAreas>;
  report: IngestReport | null;
}

/** SQL: the premises of a dataset `d` that was published, counted with the premises of now. */
const inService = sql`case
  when d.state in ('published', 'superseded', 'restoring') and d.rows_removed_at is null
    and (select premises_version from address_list) > 0
  then json_build_object('state', case when ${isCounted} then 'counted' else 'counting' end,
    'covered', case when ${isCounted} then d.premises_covered end) end`;

const columns = sql`
  s.id, s.state as status, s.kind, s.revision, json_build_object('id', p.id, 'name', p.name) as provider,
  s.processed_by, ${processingFeeCents} as processing_fee_cents, s.manifest ->> 'publish' as publish,
  json_build_object('name', s.file_name, 'size_bytes', s.size_bytes, 'sha256', encode(s.sha256, 'hex')) as file,
  token.name as submitted_by, s.remakes, s.note, s.received_at, s.started_at, s.finished_at, s.progress, s.error,
  json_build_object('storage_key', s.storage_key, 'held_for', s.blocking,
    'warnings', ${ownWarnings}, 'profile', ${profileOfSubmission},
    'has_premises', (select premises_version > 0 from address_list)) as internal,
  case when s.towers_read_at is not null then
    json_build_object('count', (select count(*) from tower w where w.submission_id = s.id))
  end as towers,
  (
    select json_build_object('file', json_build_object('name', r.file_name, 'size_bytes', r.size_bytes),
      'attached_at', r.attached_at, 'error', r.error)
    from prediction r where r.submission_id = s.id
  ) as prediction,
  (
    select json_build_object('state', m.state, 'reason', m.reason, 'parameters', m.parameters, 'signal', case when m.storage_key is not null then json_build_object('size_bytes', m.size_bytes) end,
      'requested_at', m.requested_at, 'finished_at', m.finished_at)
    from modelling m where m.submission_id = s.id
  ) as modelling,
  coalesce(
    (
      select json_agg(t.name order by t.nominal_rank)
      from dataset d join technology t on t.id = d.technology_id
      where d.submission_id = s.id
    ),
    case when s.manifest ? 'technology' then json_build_array(s.manifest ->> 'technology') else '[]' end
  ) as technologies,
  coalesce(
    (
      select json_agg(json_build_object('id', d.id, 'technology', t.name, 'scope', d.scope, 'state', d.state, 'area_km2', d.area_km2,
        'published_at', d.published_at, 'superseded_at', d.superseded_at,
        'can_roll_back', d.state = 'superseded' and d.rows_removed_at is null,
        'replaces', case when published.id <> d.id then published.id end,
        'compared_with', d.compared_with, 'is_ground_compared', ${isGroundCompared}, 'is_compared', ${isCompared},
        'was_compared', d.compared_at is not null, 'change', d.change,
        'premises_state', ${premisesState}, 'premises_change', d.premises_change, 'in_service', ${inService}, 'excluded_km2', ${excludedKm2}) order by t.nominal_rank)
      from dataset d
      join technology t on t.id = d.technology_id
      ${joinPublished}
      where d.submission_id = s.id and d.state <> 'loading'
    ), '[]'
  ) as datasets`;

/** @param where the conditions, the order and the limit */
async function selectSubmissions<Row = SubmissionView>(db: Queryable, where: Sql, shown = columns) {
  const { rows } = await db.query<Row>(sql`
    select ${shown}
    from submission s join provider p on p.id = s.provider_id left join access_token token on token.id = s.token_id
    where ${where}`);
  return rows;
}

const visible = (id: string, { providerId }: Viewer) =>
  sql`s.id = ${id} and (${providerId}::integer is null or s.provider_id = ${providerId})`;

/** A submission with its large fields. @throws CovermapError `submission_unknown`, also where the viewer may not see it */
export async function requireSubmission(db: Queryable, id: string, viewer: Viewer) {
  const modelled = sql`(select m.report from modelling m where m.submission_id = s.id) as modelling_report`;
  const lost = sql`coalesce(
    (
      select json_agg(json_build_object('dataset_id', d.id, 'areas', d.lost_areas) order by d.id)
      from dataset d
      where d.submission_id = s.id and d.state <> 'loading' and d.lost_areas <> '[]'
    ), '[]'
  ) as lost_areas`;
  const all = sql`${columns}, s.manifest, s.report, ${modelled}, ${lost}`;
  const [submission] = await selectSubmissions<SubmissionDetail>(db, visible(id, viewer), all);
  if (!submission) throw new CovermapError('submission_unknown');
  return submission;
}

/** A submission without its large fields; undefined where the viewer may not see it. */
export async function viewSubmissionState(db: Queryable, id: string, viewer: Viewer) {
  return (await selectSubmissions(db, visible(id, viewer)))[0];
}

/** Submissions without their large fields, of any provider. */
export function viewSubmissionStates(db: Queryable, ids: readonly string[]): Promise<SubmissionView[]> {
  return selectSubmissions(db, sql`s.id = any (${ids}::uuid[])`);
}

/** `provider`: a name, case aside; `before`: the id of the last submission of the page before. */
interface SubmissionFilter extends Viewer {
  provider?: string | undefined;
  technology?: string | undefined;
  state?: SubmissionState | undefined;
  before?: string | undefined;
  limit: number;
}

/** Submissions, newest first. */
export function listSubmissions(
  db: Queryable,
  { providerId, provider, technology, state, before, limit }: SubmissionFilter,
): Promise<SubmissionView[]> {
  return selectSubmissions(
    db,
    sql`(${providerId}::integer is null or s.provider_id = ${providerId})
      and (${provider}::text is null or lower(p.name) = lower(${provider}))
      and (${technology}::text is null or s.manifest ->> 'technology' = ${technology} or exists (
        select from dataset d join technology t on t.id = d.technology_id
        where d.submission_id = s.id and t.name = ${technology}))
      and (${state}::text is null or s.state = ${state})
      and (${before}::uuid is null
        or (s.received_at, s.id) < (
          select last.received_at, last.id from submission last
          where last.id = ${before} and (${providerId}::integer is null or last.provider_id = ${providerId})))
    order by s.received_at desc, s.id desc
    limit ${limit}`,
  );
}

/** Towers without coverage, of all operators, oldest first: staff may model them, also where a worker will. */
export function listWaitingForPrediction(db: Queryable, limit: number): Promise<SubmissionView[]> {
  return selectSubmissions(db, sql`${waitsForPrediction} order by s.received_at, s.id limit ${limit}`);
}

export async function countWaitingForPrediction(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from submission s where ${waitsForPrediction}`,
  );
  return Number(rows[0]?.count);
}

const isWithoutCoverage = ({ status, kind, towers, prediction }: SubmissionView) =>
  status === 'received' && kind === 'towers' && towers !== null && (!prediction || prediction.error !== null);

/** The step of a person that a submission waits for. */
function waitingFor(submission: SubmissionView): 'prediction' | 'publish' | null {
  const { status, modelling, publish, internal } = submission;
  if (isWithoutCoverage(submission) && modelling?.state !== 'waiting') return 'prediction';
  const waits = publish === 'review' || internal.held_for || !internal.profile.hasAddress;
  return status === 'ready' && waits ? 'publish' : null;
}

/** The effect of publishing a submission now; empty where it is not ready. */
export function verdictOn({ status, datasets, internal }: SubmissionView, rules: BlockingRules): Verdict {
  if (status !== 'ready') return { comparison: null, blocking: [] };
  const { warnings, held_for } = internal;
  const ready = datasets.filter((dataset) => dataset.state === 'ready');
  const verdict = judge(ready, warnings, rules);
  // Reasons for holding it back that `judge` does not find.
  const judged = [...lossCodes, 'change_unknown', ...warnings.map(({ code }) => code)];
  const others = (held_for ?? []).filter(({ code }) => !judged.includes(code));
  return { ...verdict, blocking: [...verdict.blocking, ...others] };
}

/** True where nothing more happens without a request. */
export function isFinished(submission: SubmissionView): boolean {
  return (
    ['published', 'superseded', 'failed', 'withdrawn'].includes(submission.status) ||
    (waitingFor(submission) === 'publish' && submission.datasets.every(({ was_compared }) => was_compared))
  );
}

/** A submission with the effect of publishing it now. */
export function shownSubmission(
  submission: SubmissionView & Partial<SubmissionDetail>,
  rules: BlockingRules,
) {
  const { internal, modelling_report, ...shown } = submission;
  const { status, progress, publish, datasets } = shown;
  const { comparison, blocking } = verdictOn(submission, rules);
  const isReady = status === 'ready';
  const waiting_for = waitingFor(submission);
  const isModelled = isReady && submission.modelling?.state === 'done';
  return {
    ...shown,
    modelling: shown.modelling && {
      ...shown.modelling,
      ...(modelling_report !== undefined && { report: modelling_report }),
    },
    finished: isFinished(submission),
    waiting_for,
    progress: progress && { ...progress, percent: percentOf(progress) },
    blocking: [...blocking, ...(isReady ? addressMissing(internal.profile) : [])],
    comparison,
    comparing: isReady && comparison === null,
    held_back: publish === 'auto' && waiting_for === 'publish',
    datasets: datasets.map(shownDataset),
    can: {
      publish: isReady,
      withdraw: isReady || unfinishedStates.includes(status),
      attach_prediction: isWithoutCoverage(submission) || isModelled,
      ...(internal.has_premises && { try_changes: isModelled }),
    },
    ...(shown.report === undefined ? {} : { report: reportWithProfile(submission) }),
  };
}

function shownDataset({ is_compared: _, was_compared: __, excluded_km2: ___, ...viewed }: ViewedDataset) {
  const {
    compared_with,
    is_ground_compared,
    change,
    premises_state,
    premises_change,
    in_service,
    ...dataset
  } = viewed;
  const premises = countedChange(viewed);
  const covered =
    dataset.state === 'ready' && premises_state !== 'none'
      ? { state: premises_state, covered: premises?.covered ?? null }
      : in_service;
  return {
    ...dataset,
    change: change && {
      compared_with,
      // The comparison of a published dataset is history.
      current: dataset.state !== 'ready' || is_ground_compared,
      ...change,
      ...(premises && { premises }),
    },
    ...(covered && { premises: covered }),
  };
}

/** The report. Until publication its warnings include those of the provider's current profile. */
function reportWithProfile({ report = null, status, internal }: SubmissionView & Partial<SubmissionDetail>) {
  if (!report || !['checking', 'ready'].includes(status)) return report;
  const ofProfile = [...addressMissing(internal.profile), ...profileKept(internal.profile)];
  return { ...report, warnings: [...report.warnings, ...ofProfile] };
}

/** 0 to 100, by how much of the file has been read; validation is the last percent. */
function percentOf(progress: NonNullable<SubmissionView['progress']>): number {
  const { step, bytes_read, bytes_total, sites_done = 0, sites_total = 0 } = progress;
  const percent = (done: number, total: number) => (total > 0 ? Math.floor((100 * done) / total) : 0);
  if (step === 'predicting') return percent(sites_done, sites_total);
  if (step === 'checking' && bytes_read >= bytes_total) return 100;
  return Math.min(99, percent(bytes_read, bytes_total));
}
