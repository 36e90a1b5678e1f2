import {
  integer,
  json,
  list,
  messageError,
  object,
  plainError,
  ref,
  security,
  text,
  tooManyRequests,
} from '../../openapi/parts.ts';
import type { Content, Description } from '../../openapi/types.ts';
import { maxCoordinates } from './bulk-2.0.ts';

export const ndjson = 'application/x-ndjson';
export const csv = 'text/csv';

const csvExample = 'lat,lng,id\n-36.9026834,174.8075834,head office\n-41.2865,174.7762,branch\n';
const ndjsonExample = '{"lat": -36.9026834, "lng": 174.8075834, "id": "head office"}\n[-41.2865, 174.7762]\n';

/** Coordinates as lines. */
export const coordinateLines: Record<string, Content> = {
  [csv]: {
    schema: text('`lat,lng` or `lat,lng,id` a line; with a heading or without.'),
    example: csvExample,
  },
  [ndjson]: { schema: text('`[lat, lng]` or `{"lat", "lng", "id"?}` a line.'), example: ndjsonExample },
};

export const bulk2Description: Description = {
  paths: {
    '/api/2.0/availability/bulk': {
      post: {
        operationId: 'getAvailabilityOfMany',
        tags: ['Coverage'],
        summary: `What broadband is at up to ${maxCoordinates.toLocaleString('en-NZ')} positions`,
        description:
          'Answers come in the order of the list, as they are found. A position that is not good has its error in its place. ' +
          'Each that is answered is one query. All keys of a customer together have an allowance of coordinates of its own.',
        security: security.key,
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: list(ref('AskedCoordinate')),
              example: [[-36.9026834, 174.8075834], { lat: -41.2865, lng: 174.7762, id: 'branch' }],
            },
            ...coordinateLines,
          },
        },
        responses: {
          200: {
            description: 'The answers, as `Accept` asks for: lines of JSON unless it says otherwise.',
            content: {
              [json]: { schema: list(ref('BulkAnswer')) },
              [ndjson]: { schema: text('A `BulkAnswer` a line.') },
              [csv]: { schema: text('A row a provider, technology and position.') },
            },
          },
          400: plainError(400, 'No list of coordinates.', 'The body is not JSON.'),
          403: messageError('The key is missing or not valid.', 'Forbidden'),
          406: plainError(
            406,
            '`Accept` allows none of the forms.',
            'Accept must allow application/x-ndjson, application/json or text/csv.',
          ),
          413: plainError(413, 'Too many coordinates, or bytes.', 'The body has more than 4194304 bytes.'),
          415: plainError(
            415,
            'The body is in none of the forms.',
            'Content-Type must be application/json, application/x-ndjson or text/csv.',
          ),
          429: tooManyRequests('More coordinates than the customer’s allowance.'),
        },
      },
    },
  },
  schemas: {
    AskedCoordinate: {
      anyOf: [
        { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, maxItems: 2 },
        object(
          {
            lat: { type: ['number', 'string'] },
            lng: { type: ['number', 'string'] },
            id: { type: ['string', 'number'] },
          },
          { optional: ['id'] },
        ),
      ],
    },
    BulkAnswer: object(
      {
        id: { type: ['string', 'number'], description: 'As it was given.' },
        location: object({ lat: text(), lng: text() }, { description: 'Absent where none was given.' }),
        results: list(ref('TechnologyAvailability')),
        error: object({ code: integer(), error: text() }, { description: 'In place of `results`.' }),
      },
      { optional: ['id', 'location', 'results', 'error'] },
    ),
  },
};
