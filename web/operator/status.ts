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

/** Where a submission stands, in two or three words. */
export function statusText({
  status,
  waiting_for: waitingFor,
}: Pick<Submission, 'status' | 'waiting_for'>): string {
  if (waitingFor === 'prediction') return 'With us to work out';
  return statusWords[status];
}

export function statusBadge(submission: Pick<Submission, 'status' | 'waiting_for'>): HTMLElement {
  return h('span', { class: `badge ${tones[submission.status] ?? ''}` }, statusText(submission));
}
