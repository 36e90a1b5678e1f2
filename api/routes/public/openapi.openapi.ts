import { answer, object, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const openapiDescription: Description = {
  paths: {
    '/openapi.json': {
      get: {
        operationId: 'getDescription',
        tags: ['Service'],
        summary: 'This description, OpenAPI 3.1',
        security: security.nobody,
        responses: {
          200: answer('The description.', object({ openapi: text() }, { additionalProperties: true })),
          304: { description: 'Not changed since the answer that `If-None-Match` names.' },
        },
      },
    },
  },
};
