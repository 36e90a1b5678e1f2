import {
  answer,
  integer,
  list,
  number,
  object,
  oneOf,
  path,
  plainError,
  ref,
  security,
  text,
  tooManyRequests,
} from '../../openapi/parts.ts';
import type { DescribedLimits, Description } from '../../openapi/types.ts';
import { cached, offerFields, plainDecimal } from './availability-2.0.openapi.ts';

export function describeAvailability1({ serviceArea }: DescribedLimits): Description {
  const { south, north, west, east } = serviceArea;
  return {
    paths: {
      '/api/1.0/availability/yx/{y}/{x}': {
        get: {
          operationId: 'getAvailability1',
          tags: ['Coverage'],
          summary: 'What broadband is at a position, version 1.0',
          description:
            'Deprecated since 1 February 2022: every answer says so in `Deprecation`, and names its successor in `Link`.',
          deprecated: true,
          security: security.keyInQuery,
          parameters: [
            path(
              'y',
              `Latitude, from ${south} to ${north}`,
              text(undefined, { pattern: plainDecimal }),
              '-36.9026834',
            ),
            path(
              'x',
              `Longitude, from ${west} to ${east}`,
              text(undefined, { pattern: plainDecimal }),
              '174.8075834',
            ),
          ],
          responses: {
            200: {
              ...answer('What is there.', ref('Availability1')),
              headers: { ...cached, ...deprecation },
            },
            304: { description: 'Not changed since the answer that `If-None-Match` names.' },
            400: plainError(
              400,
              'Not a position in the service area, or no plain decimal numbers.',
              'The coordinates are outside the service coverage area.',
            ),
            401: plainError(
              401,
              'The key is missing or not valid.',
              'The server could not verify that you are authorised to access this address.',
            ),
            429: tooManyRequests('More than the rate of the key.'),
            500: plainError(
              500,
              'A fault of the server, perhaps a passing one.',
              'The coverage data could not be obtained from the map data service.',
            ),
          },
        },
      },
    },
    schemas: {
      Availability1: object({
        location: {
          type: 'array',
          prefixItems: [text('Longitude.'), text('Latitude.')],
          items: false,
          minItems: 2,
          description: 'The position that was asked for: longitude, then latitude, as in the request.',
        },
        results: list(ref('TechnologyAvailability1'), 'By fastest download, descending.'),
      }),
      TechnologyAvailability1: object(
        {
          technology: text('Fibre, Cable, VDSL, Wireless, ADSL; more may be added.'),
          availability: oneOf(['Available', 'Underway', 'Planned', 'Not Available']),
          completion: text('The earliest known date of what is planned or underway, as an HTTP date.'),
          set_id: integer('The layer of map tiles of this technology.'),
          providers: list(ref('Offer1'), 'Absent where `availability` is `Not Available`.'),
        },
        { optional: ['completion', 'providers'] },
      ),
      Offer1: object({ ...offerFields, timing_id: number('The published dataset that the entry is from.') }),
    },
  };
}

const deprecation = {
  Deprecation: { description: 'Since when, as in RFC 9745.', schema: text() },
  Link: { description: 'The same question to version 2.0.', schema: text() },
};
