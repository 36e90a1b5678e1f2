import type { Queryable } from '../../database/database.ts';
import type { ErrorReport } from '../../errors.ts';
import { type Blocking, type BlockingRules, judge, type Verdict } from '../datasets/blocking.ts';
import type { CoverageChange } from '../datasets/compare.ts';
import { isCompared, joinPublished } from '../datasets/scopes.ts';
import { type ProfileOfSubmission, profileOfSubmission } from '../lookup/providers.ts';
import type { Manifest } from './manifest.ts';
import { waitsForPrediction } from './predictions.ts';
import type { Progress, SubmissionKind, SubmissionState } from './submissions.ts';

/* What people see of submissions and versions. */

/** A version as its submission shows it. */
export interface SubmissionDataset {
  id: number;
  technology: string;
  scope: string;
  state: string;
  area_km2: number | null;
  published_at: string | null;
  superseded_at: string | null;
  can_roll_back: boolean;
  /** What is published now of the same coverage. */
  replaces: number | null;
  compared_with: number | null;
  /** Whether that, and what is beside it, is what is published now. */
  is_compared: boolean;
  change: CoverageChange | null;
}

export interface SubmissionView {
  id: string;
  state: SubmissionState;
  kind: SubmissionKind;
  revision: number;
  provider: { id: number; name: string };
  technologies: string[];
  processed_by: 'operator' | 'service';
  publish: Manifest['publish'];
  file_name: string;
  size_bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
  storage_key: string;
  submitted_by: string | null;
  /** The operator's own words. */
  note: string;
  received_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  progress: Progress | null;
  error: ErrorReport | null;
  /** Why it did not publish itself when it was to. */
  blocking: Blocking[] | null;
  /** Those of its report. */
  warnings: { code: string; message: string }[];
  profile: ProfileOfSubmission;
  /** Where it is towers that have been read. */
  towers: number | null;
  prediction: {
    file_name: string;
    size_bytes: number;
    attached_at: string;
    error: ErrorReport | null;
  } | null;
  datasets: SubmissionDataset[];
}

export interface SubmissionDetail extends SubmissionView {
  manifest: Manifest;
  report: object | null;
}

const columns = `
  s.id, s.state, s.kind, s.revision, json_build_object('id', p.id, 'name', p.name) as provider,
  s.processed_by, s.manifest ->> 'publish' as publish, s.file_name, s.size_bytes, encode(s.sha256, 'hex') as sha256,
  s.storage_key, token.name as submitted_by, s.note, s.received_at, s.started_at, s.finished_at, s.progress, s.error,
  s.blocking, coalesce(s.report -> 'warnings', '[]') as warnings, ${profileOfSubmission} as profile,
  case when s.towers_read_at is not null then (select count(*) from tower w where w.submission_id = s.id) end as towers,
  (
    select json_build_object('file_name', r.file_name, 'size_bytes', r.size_bytes, 'attached_at', r.attached_at,
      'error', r.error)
    from prediction r where r.submission_id = s.id
  ) as prediction,
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
        'compared_with', d.compared_with, 'is_compared', ${isCompared}, 'change', d.change) order by t.nominal_rank)
      from dataset d
      join technology t on t.id = d.technology_id
      ${joinPublished}
      where d.submission_id = s.id and d.state <> 'loading'
    ), '[]'
  ) as datasets`;

const tables = `
  submission s
  join provider p on p.id = s.provider_id
  left join access_token token on token.id = s.token_id`;

/** Which submissions somebody may see: an operator their provider's, staff all. */
export interface Viewer {
  /** Null: every provider's. */
  providerId: number | null;
}

/** A submission with all there is to it; undefined where there is none, or it is not the viewer's to see. */
export async function viewSubmission(
  db: Queryable,
  id: string,
  viewer: Viewer,
): Promise<SubmissionDetail | undefined> {
  const { rows } = await db.query<SubmissionDetail>(
    `select ${columns}, s.manifest, s.report from ${tables}
     where s.id = $1 and ($2::integer is null or s.provider_id = $2)`,
    [id, viewer.providerId],
  );
  return rows[0];
}

/** The same without what is large. */
export async function viewSubmissionState(
  db: Queryable,
  id: string,
  viewer: Viewer,
): Promise<SubmissionView | undefined> {
  const { rows } = await db.query<SubmissionView>(
    `select ${columns} from ${tables} where s.id = $1 and ($2::integer is null or s.provider_id = $2)`,
    [id, viewer.providerId],
  );
  return rows[0];
}

/** The same of several, whoever's they are. */
export async function viewSubmissionStates(db: Queryable, ids: readonly string[]): Promise<SubmissionView[]> {
  const { rows } = await db.query<SubmissionView>(
    `select ${columns} from ${tables} where s.id = any ($1::uuid[])`,
    [ids],
  );
  return rows;
}

export interface SubmissionFilter extends Viewer {
  /** A provider's name, case aside. */
  provider?: string | undefined;
  technology?: string | undefined;
  state?: SubmissionState | undefined;
  /** Those that come after this one in the order of the list. */
  before?: string | undefined;
  limit: number;
}

/** Submissions, newest first. */
export async function listSubmissions(db: Queryable, filter: SubmissionFilter): Promise<SubmissionView[]> {
  const { rows } = await db.query<SubmissionView>(
    `select ${columns} from ${tables}
     where ($1::integer is null or s.provider_id = $1)
       and ($2::text is null or lower(p.name) = lower($2))
       and ($3::text is null or s.manifest ->> 'technology' = $3 or exists (
         select from dataset d join technology t on t.id = d.technology_id
         where d.submission_id = s.id and t.name = $3))
       and ($4::text is null or s.state = $4)
       and ($5::uuid is null
         or (s.received_at, s.id) < (
           select last.received_at, last.id from submission last
           where last.id = $5 and ($1::integer is null or last.provider_id = $1)))
     order by s.received_at desc, s.id desc
     limit $6`,
    [
      filter.providerId,
      filter.provider ?? null,
      filter.technology ?? null,
      filter.state ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
  return rows;
}

/** Towers that wait for staff's prediction, of all operators, oldest first. */
export async function listWaitingForPrediction(db: Queryable, limit: number): Promise<SubmissionView[]> {
  const { rows } = await db.query<SubmissionView>(
    `select ${columns} from ${tables} where ${waitsForPrediction} order by s.received_at, s.id limit $1`,
    [limit],
  );
  return rows;
}

export async function countWaitingForPrediction(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from submission s where ${waitsForPrediction}`,
  );
  return Number(rows[0]?.count);
}

/** What a submission waits for that somebody has to do. */
export function waitingFor(submission: SubmissionView): 'prediction' | 'publish' | null {
  const { state, kind, towers, prediction, publish, blocking, profile } = submission;
  if (state === 'received' && kind === 'towers' && towers !== null && (!prediction || prediction.error)) {
    return 'prediction';
  }
  return state === 'ready' && (publish === 'review' || blocking || !profile.hasAddress) ? 'publish' : null;
}

/** Whether it was to publish itself, and waits for somebody who decides. */
export function isHeldBack({ state, publish, blocking, profile }: SubmissionView): boolean {
  return state === 'ready' && publish === 'auto' && (blocking !== null || !profile.hasAddress);
}

/** What publishing it would mean now; nothing where it is not ready. */
export function verdictOn(submission: SubmissionView, rules: BlockingRules): Verdict {
  const { state, datasets, warnings } = submission;
  if (state !== 'ready') return { comparison: null, blocking: [] };
  const ready = datasets.filter((dataset) => dataset.state === 'ready');
  const verdict = judge(ready, warnings, rules);
  // Why it was held back when it was to publish itself, where that is nothing that is judged anew.
  const judged = ['area_lost', 'change_unknown', ...warnings.map(({ code }) => code)];
  const others = (submission.blocking ?? []).filter(({ code }) => !judged.includes(code));
  return { ...verdict, blocking: [...verdict.blocking, ...others] };
}

/** Whether the work on it is over, until somebody asks for more. */
export function isFinished(submission: SubmissionView): boolean {
  return (
    ['published', 'superseded', 'failed', 'withdrawn'].includes(submission.state) ||
    waitingFor(submission) === 'publish'
  );
}

export const versionStates = ['ready', 'published', 'superseded', 'restoring', 'withdrawn'] as const;
export type VersionState = (typeof versionStates)[number];

export interface VersionView {
  id: number;
  submission_id: string;
  provider: { id: number; name: string };
  technology: string;
  scope: string;
  state: string;
  area_km2: number | null;
  /** What is published now of the same coverage, where that is another version. */
  replaces: number | null;
  file_name: string;
  processed_by: 'operator' | 'service';
  received_at: Date;
  published_at: Date | null;
  superseded_at: Date | null;
  can_roll_back: boolean;
  /** The operator's own words about its file. */
  note: string;
}

/** Versions of coverage, newest first. */
export async function listVersions(
  db: Queryable,
  filter: Viewer & {
    id?: number | undefined;
    provider?: string | undefined;
    technology?: string | undefined;
    state?: VersionState | undefined;
    limit: number;
  },
): Promise<VersionView[]> {
  const { rows } = await db.query<VersionView>(
    `select d.id, d.submission_id, json_build_object('id', p.id, 'name', p.name) as provider, t.name as technology,
       d.scope, d.state, case when published.id <> d.id then published.id end as replaces, d.area_km2, s.file_name, s.processed_by, s.received_at, d.published_at, d.superseded_at,
       d.state = 'superseded' and d.rows_removed_at is null as can_roll_back, s.note
     from dataset d
     join submission s on s.id = d.submission_id
     join provider p on p.id = d.provider_id
     join technology t on t.id = d.technology_id
     ${joinPublished}
     where d.state <> 'loading'
       and ($1::integer is null or d.provider_id = $1)
       and ($2::integer is null or d.id = $2)
       and ($3::text is null or lower(p.name) = lower($3))
       and ($4::text is null or t.name = $4)
       and ($5::text is null or d.state = $5)
     order by d.id desc
     limit $6`,
    [
      filter.providerId,
      filter.id ?? null,
      filter.provider ?? null,
      filter.technology ?? null,
      filter.state ?? null,
      filter.limit,
    ],
  );
  return rows;
}
