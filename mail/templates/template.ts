import type { Content } from '../content.ts';

/** The groups that a person turns on and off; null: always sent. */
export type Topic = 'reminders' | 'statements' | 'usage' | 'coverage' | 'fees';

/** An e-mail of one kind. A file of this folder is a template: to change what it says, change its `write`. */
export interface Template<Data> {
  /** What staff call it. */
  title: string;
  /** When it is sent, a sentence. */
  when: string;
  topic: Topic | null;
  /** Staff see that it was not sent where the account has no e-mail address. */
  isMissed: boolean;
  write(data: Data): Content;
  /** For the preview. */
  example: Data;
}

export const template = <Data>(one: Template<Data>): Template<Data> => one;

/** Cents as in $1,150.00. */
export const dollars = (cents: number): string =>
  `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-NZ', { minimumFractionDigits: 2 })}`;

/** A day as in 19 December 2026. */
export { dayName } from '../../platform/nz-time.ts';

export const number = (value: number): string => value.toLocaleString('en-NZ');
