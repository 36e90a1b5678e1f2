import { z } from 'zod';
import { type Found, foundKinds, maxFound, readSought, searchBilling } from '../../../billing/search.ts';
import { searchFiles } from '../../../coverage/submissions/search.ts';
import { named } from '../../../platform/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';
import { filledLine } from '../../schemas/values.ts';

const FoundThing = named('FoundThing', {
  kind: z.enum(foundKinds),
  id: z.string().describe('Of an invoice and a credit note its number, of a payment the id of its entry.'),
  title: z.string(),
  note: z.string().describe('Whose it is, and of a payment its day and the bank’s words.'),
  amount_cents: z.int().nullable().describe('With GST; of a fee without.'),
});

/** The search in the head of staff's page. */
export const search = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/search', {
    id: 'searchForStaff',
    summary: 'Search customers, operators, invoices, credit notes, payments, fees and files',
    description: `By name, number (\`12\`, \`#12\`, \`INV 12\`), amount (\`1150\`, \`1,150.00\`), a bank’s words or the name of a file. At most ${maxFound} of each.`,
    query: z.object({ q: filledLine(100).meta({ example: 'INV 12' }) }),
    answers: { 200: answer('What was found, by kind.', z.object({ found: z.array(FoundThing) })) },
    async handle({ database }, { query }) {
      const sought = readSought(query.q);
      const [ofBilling, files] = await Promise.all([
        searchBilling(database, sought),
        searchFiles(database, sought),
      ]);
      const found: Found[] = [...ofBilling, ...files];
      return { found };
    },
  }),
];
