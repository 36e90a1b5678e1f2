import {
  answer,
  integer,
  list,
  messageError,
  nullable,
  number,
  object,
  oneOf,
  path,
  plainError,
  query,
  rateHeaders,
  ref,
  security,
  text,
  time,
  tooManyRequests2,
  uuid,
} from '../../openapi/parts.ts';
import type { DescribedLimits, Description } from '../../openapi/types.ts';

export function describeAvailability2({ serviceArea }: DescribedLimits): Description {
  const { south, north, west, east } = serviceArea;
  return {
    paths: {
      '/api/2.0/availability/{lat}/{lng}': {
        get: {
          operationId: 'getAvailability',
          tags: ['Coverage'],
          summary: 'What broadband is at a position',
          description:
            'Every technology is listed once, the fastest first; those that nobody offers there come last, without `providers`. ' +
            'Of a technology, the providers are listed that offer it as `availability` says, the fastest first.',
          security: security.key,
          parameters: [
            path(
              'lat',
              `Latitude, WGS 84, a plain decimal number from ${south} to ${north}`,
              text(undefined, { pattern: plainDecimal }),
              '-36.9026834',
            ),
            path(
              'lng',
              `Longitude, WGS 84, a plain decimal number from ${west} to ${east}`,
              text(undefined, { pattern: plainDecimal }),
              '174.8075834',
            ),
            query(
              'explain',
              '`1`: each provider says where its entry comes from',
              text(undefined, { enum: ['0', '1'] }),
            ),
            query(
              'at',
              'The answer as it was published at the end of this day in New Zealand, as long as versions are kept',
              text(undefined, { format: 'date' }),
            ),
          ],
          responses: {
            200: {
              ...answer('What is there.', ref('Availability'), exampleAvailability),
              headers: { ...cached, ...rateHeaders },
            },
            304: { description: 'Not changed since the answer that `If-None-Match` names.' },
            400: plainError(
              400,
              'Not a position in the service area.',
              'The given coordinates are not valid.',
            ),
            403: messageError('The key is missing or not valid.', 'Forbidden'),
            410: plainError(
              410,
              '`at` is a day of which the coverage is no longer kept.',
              'The coverage of that day is not kept any more.',
            ),
            429: tooManyRequests2,
            500: plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error'),
          },
        },
      },
    },
    schemas: {
      Availability: object({
        location: object(
          { lat: text('As in the request.'), lng: text('As in the request.') },
          { description: 'The position that was asked for.' },
        ),
        results: list(ref('TechnologyAvailability'), 'By fastest download, descending.'),
      }),
      TechnologyAvailability: object(
        {
          technology: text('fibre, cable, vdsl, wireless, adsl; more may be added.'),
          availability: oneOf(['available', 'planned', 'unavailable']),
          providers: list(ref('Offer'), 'Absent where `availability` is `unavailable`.'),
        },
        { optional: ['providers'] },
      ),
      Offer: object(
        {
          ...offerFields,
          planned_date: nullable(
            text(
              'When it is planned to be there, as an HTTP date at midnight GMT; null where that is not known or it is there already.',
            ),
          ),
          explain: nullable(
            object(
              {
                dataset: integer('The version of the provider’s coverage.'),
                published_at: time('When that became what is answered.'),
                file_name: text('As it was handed in.'),
                submission: uuid(),
              },
              { description: 'Where the entry comes from; with `explain=1` only.' },
            ),
          ),
        },
        { optional: ['explain'] },
      ),
    },
  };
}

export const plainDecimal = '^-?\\d+(\\.\\d+)?$';

/** What both versions say of a provider. */
export const offerFields = {
  name: text('Network provider.'),
  wholesale_network: oneOf(['Yes', 'No', 'Both'], 'Whether it sells to retailers: only, not, or both.'),
  url: text('Website of the provider; may be empty.'),
  bandwidth_min_mbps: number('Lowest expected download speed.'),
  bandwidth_max_mbps: number('Highest expected download speed.'),
  bandwidth_up_min_mbps: number('Lowest expected upload speed.'),
  bandwidth_up_max_mbps: number('Highest expected upload speed.'),
};

/** Headers of what may be kept. */
export const cached = {
  'Cache-Control': { description: 'May be kept for ten days.', schema: text() },
  ETag: {
    description: 'Send it as `If-None-Match` to be told whether the answer is still so.',
    schema: text(),
  },
};

const exampleAvailability = {
  location: { lat: '-36.9026834', lng: '174.8075834' },
  results: [
    {
      technology: 'fibre',
      availability: 'available',
      providers: [
        {
          name: 'Kauri Fibre',
          wholesale_network: 'Yes',
          url: 'https://kauri-fibre.example/',
          bandwidth_min_mbps: 300,
          bandwidth_max_mbps: 950,
          bandwidth_up_min_mbps: 100,
          bandwidth_up_max_mbps: 500,
          planned_date: null,
        },
      ],
    },
    { technology: 'cable', availability: 'unavailable' },
  ],
};
