import { z } from 'zod';
import { named } from '../platform/schemas.ts';
import { systemForm } from './address.ts';

/* What may be asked of an import of addresses, at the terminal and by staff. */

/** What a column holds. `label`: all before the road; `wkt`: a point as text; `alias`: the id of another system. */
export const columnRoles = [
  ...(['id', 'label', 'road', 'suburb', 'town', 'authority', 'postcode'] as const),
  ...(['lat', 'lng', 'wkt', 'alias'] as const),
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/**
 * What is accepted though it looks wrong. `gone`: a whole list that lacks many known addresses. `dropped`: a file of which many rows are not taken.
 * `mismatch`: changes that do not fit the list.
 */
export const acceptable = ['gone', 'dropped', 'mismatch'] as const;
export type Acceptable = (typeof acceptable)[number];

const fields = z.object({
  system: z
    .string()
    .regex(systemForm, { error: 'has to be a name in small letters, such as tlc.' })
    .optional()
    .describe('The file has the IDs of this system for addresses of the list, such as tlc.'),
  postcodes: z.boolean().optional().describe('The file has postcodes of addresses of the list.'),
  columns: z
    .partialRecord(z.enum(columnRoles), z.string().min(1).max(200))
    .optional()
    .describe('The names of columns, where they are not those of LINZ.')
    .meta({ example: { id: 'GAVIC', road: 'street' } }),
  accept: z.array(z.enum(acceptable)).optional().describe('What is accepted though it looks wrong.'),
  dry_run: z.boolean().optional().describe('Changes nothing, and reports what the file would change.'),
});

export const ImportOptions = named(
  'AddressImportOptions',
  fields.refine(({ system, postcodes }) => !(system && postcodes), {
    path: ['postcodes'],
    error: 'cannot be in a file with the IDs of another system.',
  }),
);
export type ImportOptions = z.output<typeof ImportOptions>;
