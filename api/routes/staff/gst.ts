import { z } from 'zod';
import { type GstItem, GstReturn, gstItems, gstReturn, GstItem as Item } from '../../../billing/books/gst.ts';
import { dollars } from '../../../billing/money.ts';
import { readSetting } from '../../../billing/settings.ts';
import { day } from '../../../platform/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { period, requirePeriod } from '../../schemas/period.ts';

const basis = z.enum(['invoice', 'payments']);

const columns: readonly Column<GstItem>[] = [
  ...fields('kind', 'number', 'on_day', 'recipient', 'gst_percent'),
  ['total', ({ total_cents }) => dollars(total_cents)],
  ['gst', ({ gst_cents }) => dollars(gst_cents)],
];

/** The GST return of a period. */
export const gst = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/gst', {
    id: 'getGstReturn',
    summary: 'Get the GST of a period',
    query: z.object({
      ...period,
      basis: basis.optional().describe('The accounting basis; the one of the settings by default'),
    }),
    formats: ['json', 'csv'],
    answers: {
      200: answer(
        'The boxes of Inland Revenue’s return, and what makes them; in CSV what makes them alone.',
        z.object({ from: day(), to: day(), basis, boxes: GstReturn, items: z.array(Item) }),
      ),
    },
    async handle({ database }, { query: { from, to, basis: asked }, format }) {
      requirePeriod({ from, to });
      const chosen = asked ?? (await readSetting(database, 'gst_basis'));
      const items = await gstItems(database, from, to, chosen);
      if (format === 'csv') return csv(`gst-${chosen}-${from}-${to}`, columns, items);
      return { from, to, basis: chosen, boxes: gstReturn(items), items };
    },
  }),
];
