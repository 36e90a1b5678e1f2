import { h } from '../shared/dom.ts';
import type { Tone } from '../shared/notice.ts';
import type { Submission } from '../shared/types.ts';
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

type Standing = Pick<Submission, 'status' | 'waiting_for' | 'held_back' | 'datasets'>;

/** Where a submission stands, in two or three words. */
export function statusText(submission: Standing): string {
  if (submission.held_back) return 'Held back';
  if (submission.waiting_for === 'prediction') return 'Awaiting modelling';
  if (submission.status === 'superseded' && isOffline(submission)) return 'Offline';
  return statusWords[submission.status];
}

export function statusBadge(submission: Standing): HTMLElement {
  return h('span', { class: `badge ${tones[submission.status] ?? ''}` }, statusText(submission));
}

/** Whether it was live, and nothing is now. */
export function isOffline({ datasets }: Pick<Submission, 'datasets'>): boolean {
  return (
    datasets.length > 0 &&
    datasets.every(({ state, replaces }) => state === 'superseded' && replaces === null)
  );
}
