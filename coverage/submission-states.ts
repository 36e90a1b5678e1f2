import { raw } from '../platform/database/sql.ts';

export const submissionStates = [
  'received',
  'reading',
  'loading',
  'checking',
  'ready',
  'published',
  'superseded',
  'failed',
  'withdrawn',
] as const;
export type SubmissionState = (typeof submissionStates)[number];

/** States with work left for a worker. */
export const unfinishedStates: readonly SubmissionState[] = ['received', 'reading', 'loading', 'checking'];

/** SQL: true where a submission `s`, or the one submission of the statement, is in one of {@link unfinishedStates}. */
export const isUnfinished = raw(`state in (${unfinishedStates.map((state) => `'${state}'`).join(', ')})`);

/** The kind of a file: coverage, or towers from which the service models coverage. */
export const submissionKinds = ['coverage', 'towers'] as const;
export type SubmissionKind = (typeof submissionKinds)[number];
