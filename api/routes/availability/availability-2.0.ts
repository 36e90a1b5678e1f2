import type { Response } from 'express';
import { z } from 'zod';
import { results2 } from '../../../core/coverage/lookup/answer-2.0.ts';
import { requireKey } from '../../middleware/api-key.ts';
import { readCoordinates } from '../../middleware/coordinates.ts';
import { readOnly, sendJson } from '../../middleware/errors.ts';
import { limitFreeQueries } from '../../middleware/free-queries.ts';
import { countQuery } from '../../middleware/metering.ts';
import { limitRate, refuseRate2 } from '../../middleware/rate-limit.ts';
import type { DescribedLimits } from '../../openapi/types.ts';
import { answer, type Route, servedRoute } from '../../route.ts';
import { Availability, PlainDecimal } from '../../schemas/availability.ts';
import {
  keptHeaders,
  messageError,
  plainError,
  rateHeaders,
  tooManyRequests2,
} from '../../schemas/errors.ts';
import { type AvailabilityVersion, answerAvailability } from './answer.ts';
import { answerTraced } from './traced.ts';

/** What version 2.0 says, wherever it is asked. */
export const version2: AvailabilityVersion = {
  invalid: {
    no_number: 'The given coordinates are not valid.',
    outside: 'The given coordinates are not valid.',
  },
  failed: 'Internal Server Error',
  location: ({ latText, lngText }) => `{"lat":"${latText}","lng":"${lngText}"}`,
  results: results2,
};

/**
 * What broadband is at a position, version 2.0: the hot path, a chain of its own. The router of its parameters would refuse a path
 * that does not decode before the key is looked at.
 *
 *     GET /api/2.0/availability/-36.9026834/174.8075834
 *     x-api-key: <key>
 */
export function availability2({ serviceArea }: DescribedLimits): Route[] {
  const { south, north, west, east } = serviceArea;
  return [
    servedRoute({
      method: 'get',
      path: '/api/2.0/availability/{lat}/{lng}',
      below: '/api/2.0/availability',
      who: 'key',
      id: 'getAvailability',
      tag: 'Coverage',
      summary: 'What broadband is at a position',
      description:
        'Every technology is listed once, the fastest first; those that nobody offers there come last, without `providers`. ' +
        'Of a technology, the providers are listed that offer it as `availability` says, the fastest first.',
      params: {
        lat: PlainDecimal.meta({
          description: `Latitude, WGS 84, a plain decimal number from ${south} to ${north}`,
          example: '-36.9026834',
        }),
        lng: PlainDecimal.meta({
          description: `Longitude, WGS 84, a plain decimal number from ${west} to ${east}`,
          example: '174.8075834',
        }),
      },
      query: z.object({
        explain: z.enum(['0', '1']).optional().describe('`1`: each provider says where its entry comes from'),
        at: z.iso
          .date()
          .optional()
          .describe(
            'The answer as it was published at the end of this day in New Zealand, as long as versions are kept',
          ),
      }),
      answers: {
        200: answer('What is there.', Availability, {
          example: exampleAvailability,
          headers: { ...keptHeaders, ...rateHeaders },
        }),
        304: { description: 'Not changed since the answer that `If-None-Match` names.' },
        400: plainError(400, 'Not a position in the service area.', 'The given coordinates are not valid.'),
        403: messageError('The key is missing or not valid.', 'Forbidden'),
        410: plainError(
          410,
          '`at` is a day of which the coverage is no longer kept.',
          'The coverage of that day is not kept any more.',
        ),
        429: tooManyRequests2,
        500: plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error'),
      },
      serve: (context) => [
        // Those have routes of their own.
        (request, _response, next) => next(request.path.startsWith('/jobs/') ? 'router' : undefined),
        readCoordinates,
        readOnly,
        requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
        limitRate(context.limit, refuseRate2),
        limitFreeQueries(context, refuseFreeQueries2),
        countQuery(context.meter),
        answerTraced(context, version2),
        answerAvailability(context, version2),
      ],
    }),
  ];
}

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

/** The 403 of version 2.0 for a key without a plan. */
export function refuseFreeQueries2(response: Response, message: string): void {
  sendJson(response, 403, { message });
}

/** The 403 of version 2.0, or its 429 where too many keys were wrong; they have only a message. */
export function refuseKey2(response: Response, tooMany?: string): void {
  sendJson(response, tooMany === undefined ? 403 : 429, { message: tooMany ?? 'Forbidden' });
}
