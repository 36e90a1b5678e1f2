import { z } from 'zod';
import { changeSettings, readSettings, settings } from '../../../billing/settings.ts';
import { answer, routesFor } from '../../define-route.ts';
import { line } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });

const Settings = z.object(settings);
const Change = Settings.partial().extend({
  reason: line(300).default('').describe('Needed to open books that are locked.'),
});

/** What staff decide about billing. */
export const billingSettings = [
  staff.get('/api/staff/settings', {
    id: 'getSettings',
    summary: 'Get the settings of billing',
    answers: { 200: answer('The settings.', Settings) },
    handle: ({ database }) => readSettings(database),
  }),
  staff.patch('/api/staff/settings', {
    id: 'changeSettings',
    summary: 'Change settings of billing',
    body: Change,
    example: { books_locked_through: '2026-09-30' },
    answers: { 200: answer('The settings.', Settings) },
    errors: ['books_opened_unasked'],
    async handle({ database, now }, { body: { reason, ...change }, actor }) {
      await changeSettings(database, change, reason, actor, now());
      return readSettings(database);
    },
  }),
];
