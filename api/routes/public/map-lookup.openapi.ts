import { answer, plainError, query, ref, security, text, tooManyRequests } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const mapLookupDescription: Description = {
  paths: {
    '/api/map/lookup': {
      get: {
        operationId: 'lookUpForMap',
        tags: ['Map'],
        summary: 'The lookup of the public map',
        description:
          'For pages of this server only, limited by address, and not counted. Applications use version 2.0 with a key.',
        security: security.nobody,
        parameters: [
          { ...query('lat', 'Latitude', text(), '-36.9026834'), required: true },
          { ...query('lng', 'Longitude', text(), '174.8075834'), required: true },
        ],
        responses: {
          200: answer('As version 2.0.', ref('Availability')),
          304: { description: 'Not changed since the answer that `If-None-Match` names.' },
          400: plainError(400, 'Not a position in the service area.', 'The given coordinates are not valid.'),
          403: plainError(
            403,
            'The request does not come from a page of this server.',
            'This lookup is for the map of this server. Applications use /api/2.0/ with a key.',
          ),
          429: tooManyRequests('Too many from one address.', 'Too many requests. Try again later.'),
          500: plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error'),
        },
      },
    },
  },
};
