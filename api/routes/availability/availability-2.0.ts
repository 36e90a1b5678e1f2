import { z } from 'zod';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { readOnly } from '../../http/every-request.ts';
import { readCoordinates, requireOnce } from '../../http/parameters.ts';
import { forPages } from '../../middleware/address-search.ts';
import {
  countQuery,
  limitQueries,
  limitRate,
  limitVisitors2,
  requireKey,
  scheme2,
} from '../../middleware/key.ts';
import type { DescribedLimits } from '../../openapi/types.ts';
import { Availability, latitude, longitude, orderableParameter } from '../../schemas/availability.ts';
import {
  keptHeaders,
  keyErrors2,
  notModified,
  plainError,
  unavailable,
} from '../../schemas/document-errors.ts';
import { answerLookup, beginLookup, version2 } from './answer-lookup.ts';
import { answerTraced } from './answer-traced.ts';
import { withQuery } from './with-query.ts';

/** The parameters that change the question of a lookup. */
export const lookupQuery = z.object({
  explain: z
    .enum(['0', '1'])
    .optional()
    .describe('`1`: add the source of each provider’s entry, as `explain`'),
  nearby: z
    .enum(['0', '1'])
    .optional()
    .describe(
      '`1`: add how far away the area of each offer ends, as `edge_m`, and the offers that begin near by, as `nearby`. Not together with `at`',
    ),
  orderable: orderableParameter,
  at: z.iso
    .date()
    .optional()
    .describe(
      'Answer from the coverage that was live at the end of this day in New Zealand. Available while those versions are kept',
    ),
});

export const tracedErrors = {
  410: plainError(
    410,
    '`at` is a day of which the coverage is no longer kept, or before there was any.',
    'No coverage had been published by the end of that day. Ask for a later day.',
  ),
  422: plainError(
    422,
    'With `nearby=1`, there is too much coverage around the position to measure it.',
    'There is too much coverage around this position to measure it. Ask without nearby.',
  ),
};

/** The hot path, with a chain of its own: `GET /api/2.0/availability/-36.9026834/174.8075834`. */
export function availability2({ serviceArea }: DescribedLimits): Route[] {
  return [
    routesFor({ who: 'key', tag: 'Coverage' }).get('/api/2.0/availability/{lat}/{lng}', {
      below: '/api/2.0/availability',
      id: 'getAvailability',
      summary: 'Look up broadband at a position',
      description:
        'Lists every technology once, fastest first. Technologies that nobody offers there come last, without `providers`. ' +
        'Each technology lists the providers that offer it with its `availability`, fastest first.',
      params: { lat: latitude(serviceArea), lng: longitude(serviceArea) },
      query: lookupQuery,
      answers: {
        200: answer('The coverage at the position.', Availability, {
          example: exampleAvailability,
          headers: keptHeaders,
        }),
        304: notModified,
        400: plainError(
          400,
          'The coordinates are invalid or outside the service area.',
          'The given coordinates are not valid.',
        ),
        ...keyErrors2,
        ...tracedErrors,
        503: unavailable,
      },
      serve: (context) => [
        // Lists, jobs and addresses have routes of their own.
        (request, _response, next) =>
          next(/^\/(bulk|jobs|address)\//.test(request.path) ? 'router' : undefined),
        readCoordinates,
        readOnly,
        requireKey(context, scheme2, forPages),
        limitVisitors2(context),
        limitRate(context.limit, scheme2, beginLookup(context)),
        limitQueries(context, scheme2),
        countQuery(context.meter),
        requireOnce(...Object.keys(lookupQuery.shape)),
        withQuery(answerTraced(context)),
        answerLookup(context, version2),
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
