import type { Submission } from '../shared/schemas.ts';
import { Badge, type Tone } from '../shared/ui/notice.tsx';

const statuses: Record<Submission['status'], [words: string, tone?: Tone]> = {
  received: ['Queued', 'info'],
  reading: ['Reading', 'info'],
  loading: ['Loading', 'info'],
  checking: ['Validating', 'info'],
  ready: ['Ready to publish', 'warning'],
  published: ['Published', 'good'],
  superseded: ['Superseded'],
  failed: ['Failed', 'bad'],
  withdrawn: ['Withdrawn'],
};

/** The state of a submission in two or three words. */
export function statusText(submission: Submission): string {
  if (submission.held_back) return 'Held back';
  if (submission.waiting_for === 'prediction') return 'Awaiting modelling';
  if (submission.status === 'received' && submission.progress?.step === 'predicting') return 'Modelling';
  if (submission.status === 'superseded' && isOffline(submission)) return 'Offline';
  return statuses[submission.status][0];
}

export function StatusBadge({ submission }: { submission: Submission }) {
  return <Badge tone={statuses[submission.status][1]}>{statusText(submission)}</Badge>;
}

/** Tells if the service works on it, or will. */
export function isUnderWork({ finished, waiting_for, status }: Submission): boolean {
  return !finished && waiting_for === null && status !== 'ready';
}

/** Tells if it was live, and nothing is now. */
export function isOffline({ datasets }: Submission): boolean {
  const isOver = datasets.every(({ state, replaces }) => state === 'superseded' && replaces === null);
  return datasets.length > 0 && isOver;
}
