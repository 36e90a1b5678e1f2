import { z } from 'zod';
import { revalidated, sendKeptJson } from '../../http/conditional.ts';
import { answer, routesFor } from '../../route.ts';
import { notModified } from '../../schemas/errors.ts';

export const openapi = [
  routesFor({ who: 'anyone', tag: 'Service', anyOrigin: true }).get('/openapi.json', {
    id: 'getDescription',
    summary: 'Get this description (OpenAPI 3.1)',
    answers: {
      200: answer('The OpenAPI document.', z.looseObject({ openapi: z.string() })),
      304: notModified,
    },
    serve({ description }) {
      let body: string | undefined;
      return [
        (request, response) => {
          body ??= JSON.stringify(description());
          sendKeptJson(request, response, body, revalidated.public);
        },
      ];
    },
  }),
];
