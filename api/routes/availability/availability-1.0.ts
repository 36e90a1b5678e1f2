import type { RequestHandler } from 'express';
import { z } from 'zod';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { sendError } from '../../errors.ts';
import { readOnly } from '../../http/every-request.ts';
import { readCoordinates, refuseTracing, requireOnce } from '../../http/parameters.ts';
import { countQuery, type KeyScheme, limitQueries, limitRate, requireKey } from '../../middleware/key.ts';
import type { DescribedLimits } from '../../openapi/types.ts';
import { Availability1, latitude, longitude, orderableParameter } from '../../schemas/availability.ts';
import {
  keptHeaders,
  notModified,
  plainError,
  tooManyRequests,
  unavailable,
} from '../../schemas/document-errors.ts';
import { answerLookup, beginLookup, version1 } from './answer-lookup.ts';
import { answerOrderable } from './answer-traced.ts';
import { withQuery } from './with-query.ts';

/** 1 February 2022, 00:00 in New Zealand, as RFC 9745 writes it. */
const deprecatedSince = '@1643626800';

const notAuthorised = 'The server could not verify that you are authorised to access this address.';

/** Version 1.0, y the latitude: `GET /api/1.0/availability/yx/-36.9026834/174.8075834?api_key=<key>`. */
export function availability1({ serviceArea }: DescribedLimits): Route[] {
  return [
    routesFor({ who: 'keyInQuery', tag: 'Coverage' }).get('/api/1.0/availability/yx/{y}/{x}', {
      below: '/api/1.0/availability/yx',
      id: 'getAvailability1',
      summary: 'Look up broadband at a position (version 1.0)',
      description:
        'Deprecated since 1 February 2022. Every answer has a `Deprecation` header, and a `Link` header with its successor.',
      deprecated: true,
      params: { y: latitude(serviceArea), x: longitude(serviceArea) },
      query: z.object({ orderable: orderableParameter }),
      answers: {
        200: answer('The coverage at the position.', Availability1, {
          headers: {
            ...keptHeaders,
            Deprecation: { description: 'The date of deprecation, as in RFC 9745.' },
            Link: { description: 'The same lookup in version 2.0.' },
          },
        }),
        304: notModified,
        400: plainError(
          400,
          'The coordinates are outside the service area, or are not plain decimal numbers; or `orderable` is neither `0` nor `1`; or `at`, `explain` or `nearby` is given, which only version 2.0 knows.',
          version1.invalid.outside,
        ),
        401: plainError(401, 'The key is missing or invalid.', notAuthorised),
        429: tooManyRequests(
          'The key has exceeded its rate limit, or its customer has reached the cap of the month.',
        ),
        500: plainError(500, 'An internal error. It may be temporary.', version1.failed),
        503: unavailable,
      },
      serve: (context) => [
        readCoordinates,
        announceDeprecation,
        readOnly,
        requireKey(context, scheme1),
        limitRate(context.limit, scheme1, beginLookup(context)),
        limitQueries(context, scheme1),
        countQuery(context.meter),
        refuseTracing('orderable'),
        requireOnce('orderable'),
        withQuery(answerOrderable(context, version1)),
        answerLookup(context, version1),
      ],
    }),
  ];
}

const announceDeprecation: RequestHandler = (_request, response, next) => {
  const [y, x] = response.locals.coordinates as [string, string];
  response.setHeader('Deprecation', deprecatedSince);
  response.setHeader(
    'Link',
    `</api/2.0/availability/${encodeURIComponent(y)}/${encodeURIComponent(x)}>; rel="successor-version"`,
  );
  next();
};

const scheme1: KeyScheme = {
  readKey: ({ query }) => query.api_key,
  refuse(response, sentence = notAuthorised) {
    // RFC 9110, section 15.5.2: a 401 names the way to authenticate.
    response.setHeader('WWW-Authenticate', 'ApiKey realm="covermap", in="query", name="api_key"');
    sendError(response, 401, sentence);
  },
  refuseTooMany: (response, sentence) => sendError(response, 429, sentence),
};
