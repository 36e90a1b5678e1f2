import { z } from 'zod';
import { maxMoveDays } from '../../../billing/rehearsal/rehearsal.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { day, named, time } from '../../../platform/schemas.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';

const Rehearsal = named('Rehearsal', {
  possible: z.boolean().describe('In the demo alone.'),
  now: time().nullable().describe('What the clock of billing shows; `null` where nothing is rehearsed.'),
});

const path = '/api/staff/rehearsal';
const staff = routesFor({ who: 'staff', tag: 'Billing' });
const answers = { 200: answer('The rehearsal.', Rehearsal) };

/** Practising months in the demo, on a clock that staff move and take back. */
export const rehearsal = [
  staff.get(path, {
    id: 'getRehearsal',
    summary: 'Get the rehearsal of months',
    answers,
    handle: shown,
  }),
  staff.post(path, {
    id: 'beginRehearsal',
    summary: 'Begin to practise months, in the demo',
    answers,
    errors: ['rehearsal_elsewhere', 'rehearsal_state'],
    async handle(context, { actor }) {
      await ofDemo(context).begin(actor);
      return shown(context);
    },
  }),
  staff.post(`${path}/move`, {
    id: 'moveRehearsal',
    summary: 'Move the clock of a rehearsal',
    description: `Ahead by up to ${maxMoveDays} days. Usage is made up for each, and what billing’s schedule has due is done.`,
    body: z.object({
      day: day(),
      early: z
        .boolean()
        .optional()
        .describe('A minute after midnight instead of 9 am: before a month closes by itself.'),
    }),
    example: { day: '2026-12-20' },
    answers,
    errors: ['rehearsal_elsewhere', 'rehearsal_state', 'rehearsal_date'],
    async handle(context, { body }) {
      await ofDemo(context).move(body.day, body.early ?? false);
      return shown(context);
    },
  }),
  staff.delete(path, {
    id: 'takeRehearsalBack',
    summary: 'Take a rehearsal back',
    description: 'All rows of billing, and the clock, are again what they were when it began.',
    answers,
    errors: ['rehearsal_elsewhere', 'rehearsal_state'],
    async handle(context, { actor }) {
      await ofDemo(context).takeBack(actor, async () => context.meter.flush?.());
      return shown(context);
    },
  }),
];

function ofDemo({ rehearsal }: ApiContext) {
  if (!rehearsal) throw new CovermapError('rehearsal_elsewhere');
  return rehearsal;
}

function shown({ rehearsal }: ApiContext) {
  return { possible: rehearsal !== undefined, now: rehearsal?.isUnderWay() ? rehearsal.now() : null };
}
