import type { Submission } from '../shared/schemas.ts';
import { Badge, type Tone } from '../shared/ui/notice.tsx';
import { statusWords } from '../shared/words.ts';

const tones: Partial<Record<Submission['status'], Tone>> = {
  received: 'info',
  reading: 'info',
  loading: 'info',
  checking: 'info',
  ready: 'warning',
  published: 'good',
  failed: 'bad',
};

/** The state of a submission in two or three words. */
export function statusText(submission: Submission): string {
  if (submission.held_back) return 'Held back';
  if (submission.waiting_for === 'prediction') return 'Awaiting modelling';
  if (submission.status === 'received' && submission.progress?.step === 'predicting') return 'Modelling';
  if (submission.status === 'superseded' && isOffline(submission)) return 'Offline';
  return statusWords[submission.status];
}

export function StatusBadge({ submission }: { submission: Submission }) {
  return <Badge tone={tones[submission.status]}>{statusText(submission)}</Badge>;
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
