import { json, object, path, text } from '../../openapi/parts.ts';
import type { Operation, Schema } from '../../openapi/types.ts';

export const customerId = path('id', 'Of the customer', { type: 'integer' }, 1);
const body = (schema: Schema, example: object): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { [json]: { schema, example } },
});
/** How a recipient of invoices can be reached. */
export const contactBody = body(
  object({ address: text(), contact: text() }, { optional: ['address', 'contact'] }),
  { address: '1 Queen Street\nAuckland 1010', contact: 'accounts@example.com' },
);
