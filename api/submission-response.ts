import type { BlockingRules } from '../core/coverage/datasets/blocking.ts';
import { addressMissing, profileKept } from '../core/coverage/lookup/providers.ts';
import type { Progress } from '../core/coverage/submissions/submissions.ts';
import {
  isFinished,
  isHeldBack,
  type SubmissionDetail,
  type SubmissionView,
  verdictOn,
  waitingFor,
} from '../core/coverage/submissions/views.ts';

/**
 * A submission as the operators' interface shows it; the fields are described in docs/operator-api.md.
 * @param rules by which it is judged what publishing it would mean now
 */
export function submissionBody(submission: SubmissionView | SubmissionDetail, rules: BlockingRules): object {
  const { state, kind, datasets } = submission;
  const { comparison, blocking } = verdictOn(submission, rules);
  const unpublished = ['received', 'reading', 'loading', 'checking', 'ready'].includes(state);
  return {
    id: submission.id,
    status: state,
    finished: isFinished(submission),
    waiting_for: waitingFor(submission),
    revision: submission.revision,
    provider: submission.provider,
    technologies: submission.technologies,
    kind,
    processed_by: submission.processed_by,
    publish: submission.publish,
    file: { name: submission.file_name, size_bytes: submission.size_bytes, sha256: submission.sha256 },
    towers: submission.towers === null ? null : { count: submission.towers },
    prediction: submission.prediction && {
      file: { name: submission.prediction.file_name, size_bytes: submission.prediction.size_bytes },
      attached_at: submission.prediction.attached_at,
      error: submission.prediction.error,
    },
    submitted_by: submission.submitted_by,
    note: submission.note,
    received_at: submission.received_at,
    started_at: submission.started_at,
    finished_at: submission.finished_at,
    progress: submission.progress && { ...submission.progress, percent: percentOf(submission.progress) },
    error: submission.error,
    blocking: [...blocking, ...(state === 'ready' ? addressMissing(submission.profile) : [])],
    comparison,
    comparing: state === 'ready' && comparison === null,
    held_back: isHeldBack(submission),
    datasets: datasets.map(({ compared_with, is_compared, change, ...dataset }) => ({
      ...dataset,
      change: change && {
        compared_with,
        // Once it is published, what it was compared with is history.
        current: dataset.state !== 'ready' || is_compared,
        still_covered_km2: 0,
        downgraded_km2: 0,
        ...change,
      },
    })),
    can: {
      publish: state === 'ready',
      withdraw: unpublished,
      attach_prediction: waitingFor(submission) === 'prediction',
    },
    ...('manifest' in submission
      ? { manifest: submission.manifest, report: reportWithProfile(submission) }
      : {}),
    links: submissionLinks(submission.id),
  };
}

/** The report, with what is so now of the provider's profile among its warnings, while it is not published. */
function reportWithProfile({ report, state, profile }: SubmissionDetail): object | null {
  if (!report || !['checking', 'ready'].includes(state)) return report;
  const { warnings = [] } = report as { warnings?: object[] };
  return { ...report, warnings: [...warnings, ...addressMissing(profile), ...profileKept(profile)] };
}

export function submissionLinks(id: string): Record<string, string> {
  const self = `/api/operator/submissions/${id}`;
  return {
    self,
    events: `${self}/events`,
    publish: `${self}/publish`,
    withdraw: `${self}/withdraw`,
    file: `${self}/file`,
    tiles: `${self}/tiles/{z}/{x}/{y}.mvt`,
    change_tiles: `${self}/change/{z}/{x}/{y}.mvt`,
  };
}

/** 0 to 100, from how much of the file has been read; the last percent is for the checking of it. */
function percentOf({ step, bytes_read, bytes_total }: Progress): number {
  if (step === 'checking' && bytes_read >= bytes_total) return 100;
  return bytes_total > 0 ? Math.min(99, Math.floor((100 * bytes_read) / bytes_total)) : 0;
}
