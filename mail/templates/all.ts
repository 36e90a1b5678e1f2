import { fee_accrued, submission_failed, submission_published, submission_review } from './coverage.ts';
import { credit_note } from './credit-note.ts';
import { invoice } from './invoice.ts';
import { receipt } from './receipt.ts';
import { reminder } from './reminder.ts';
import { statement } from './statement.ts';
import type { Template } from './template.ts';
import { forecast, usage } from './usage.ts';

/** Every e-mail that the service sends, by its name in the database. */
export const templates = {
  ...{ invoice, credit_note, reminder, statement, receipt, usage, forecast },
  ...{ submission_review, submission_published, submission_failed, fee_accrued },
};
export type TemplateName = keyof typeof templates;
export type DataOf<Name extends TemplateName> =
  (typeof templates)[Name] extends Template<infer Data> ? Data : never;
export const templateNames = Object.keys(templates) as TemplateName[];

/** A template as one of any data. */
export const templateOf = (name: TemplateName) => templates[name] as Template<unknown>;
