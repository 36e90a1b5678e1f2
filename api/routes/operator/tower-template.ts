import { z } from 'zod';
import { templateRows, towerFields } from '../../../core/coverage/submissions/tower-columns.ts';
import { csv, fields } from '../../http/csv.ts';
import { routesFor } from '../../route.ts';

/** A list of towers to begin with. */
export const towerTemplate = [
  routesFor({ who: 'anyone', tag: 'Submissions' }).get('/tower-template.csv', {
    id: 'getTowerTemplate',
    summary: 'Download a template for tower data',
    description:
      'Every column, with two sectors as an example. Replace the rows, and remove columns that you do not need.',
    answers: {
      200: { description: 'The template.', content: { 'text/csv': { schema: z.string() } } },
    },
    handle: () => csv('tower-template', fields(...towerFields), templateRows),
  }),
];
