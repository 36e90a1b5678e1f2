import { addMonths, type Day, firstDay, monthOfDay } from '../../platform/nz-time.ts';
import { day } from '../../platform/schemas.ts';
import { invalidRequest } from '../errors.ts';

/** The days of a period of the books. */
export const period = {
  from: day().describe('The first day').meta({ example: '2026-10-01' }),
  to: day().describe('The last day, at most 24 months later').meta({ example: '2026-11-30' }),
};

/** @throws CovermapError `request_invalid` */
export function requirePeriod({ from, to }: { from: Day; to: Day }): void {
  if (to < from) throw invalidRequest(`${to} is before ${from}.`);
  if (to >= firstDay(addMonths(monthOfDay(from), 24))) {
    throw invalidRequest('A period has at most 24 months.');
  }
}
