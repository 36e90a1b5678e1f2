import { z } from 'zod';
import { answer, routesFor } from '../../define-route.ts';
import { revalidated } from '../../http/conditional.ts';
import { ConstantBody } from '../../http/constant-body.ts';
import { limitPages } from '../../middleware/address-limit.ts';
import { notModified, tooManyOfAddress } from '../../schemas/document-errors.ts';

export const openapi = [
  routesFor({ who: 'anyone', tag: 'Service', anyOrigin: true }).get('/openapi.json', {
    id: 'getDescription',
    summary: 'Get this description (OpenAPI 3.1)',
    answers: {
      200: answer('The OpenAPI document.', z.looseObject({ openapi: z.string() })),
      304: notModified,
      429: tooManyOfAddress,
    },
    serve(context) {
      let body: ConstantBody | undefined;
      return [
        limitPages(context),
        (request, response) => {
          body ??= new ConstantBody('application/json; charset=utf-8', JSON.stringify(context.description()));
          body.send(request, response, revalidated.public);
        },
      ];
    },
  }),
];
