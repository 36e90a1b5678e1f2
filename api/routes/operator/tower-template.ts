import { z } from 'zod';
import { templateRows, towerFields } from '../../../coverage/submissions/tower-columns.ts';
import { routesFor } from '../../define-route.ts';
import { revalidated } from '../../http/conditional.ts';
import { ConstantBody } from '../../http/constant-body.ts';
import { asFile, csvText, csvType, fields } from '../../http/csv.ts';
import { limitPages } from '../../middleware/address-limit.ts';
import { notModified, tooManyOfAddress } from '../../schemas/document-errors.ts';

export const towerTemplate = [
  routesFor({ who: 'anyone', tag: 'Submissions' }).get('/tower-template.csv', {
    id: 'getTowerTemplate',
    summary: 'Download a template for tower data',
    description:
      'Every column, with two sectors as an example. Replace the rows, and remove columns that you do not need.',
    answers: {
      200: { description: 'The template.', content: { 'text/csv': { schema: z.string() } } },
      304: notModified,
      429: tooManyOfAddress,
    },
    serve(context) {
      const body = new ConstantBody(csvType, csvText(fields(...towerFields), templateRows));
      return [
        limitPages(context),
        (request, response) => {
          response.setHeader('Content-Disposition', asFile('tower-template'));
          body.send(request, response, revalidated.public);
        },
      ];
    },
  }),
];
