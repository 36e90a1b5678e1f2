import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Refusal, sendJson } from '../../errors.ts';
import { readOnly } from '../../http/every-request.ts';
import { requireOnce } from '../../http/parameters.ts';
import { forPages, refuseSearch, takeSearch } from '../../middleware/address-search.ts';
import {
  countQuery,
  limitQueries,
  limitRate,
  limitVisitors2,
  requireKey,
  scheme2,
} from '../../middleware/key.ts';
import { AddressAvailability, UnsureAddress } from '../../schemas/addresses.ts';
import {
  keptHeaders,
  keyErrors2,
  notModified,
  plainError,
  unavailable,
} from '../../schemas/document-errors.ts';
import { byReference, foundView, locationOf, missingAddress } from '../../views/addresses.ts';
import { addressErrors, askedTextOf, reference, textMissing } from './addresses-2.0.ts';
import { answerLookup, version2 } from './answer-lookup.ts';
import { answerTraced } from './answer-traced.ts';
import { lookupQuery, tracedErrors } from './availability-2.0.ts';

const unsure = 'The text does not surely say one address. Ask again with the ID of one of the candidates.';
const noSuchText = 'The text says no address of the list.';

const routes = routesFor({ who: 'key', tag: 'Coverage' });
const answers = {
  200: answer('The coverage at the position of the address.', AddressAvailability, { headers: keptHeaders }),
  304: notModified,
  ...keyErrors2,
  ...tracedErrors,
  503: unavailable,
};

/** Offers at an address: GET /api/2.0/availability/address/1234567. The answer of its position, with the address. */
export const addressAvailability2 = [
  routes.get('/api/2.0/availability/address', {
    id: 'getAvailabilityOfText',
    summary: 'Look up broadband at an address, by its text',
    description:
      'Answers where the text surely says one address. Any other text is answered with candidates, and does not count as a query.',
    query: z.object({
      q: z.string().describe('The text').meta({ example: '2/14 Rata Street, Ponsonby, Auckland' }),
      ...lookupQuery.shape,
    }),
    answers: {
      ...answers,
      300: answer('The text is not sure. Not billed.', UnsureAddress),
      400: plainError(400, '`q` is missing, too long or given twice.', textMissing),
      404: plainError(404, 'The text says no address. Not billed.', noSuchText),
    },
    serve: (context) => chain(context, byText(context)),
  }),
  routes.get('/api/2.0/availability/address/{address}', {
    id: 'getAvailabilityOfAddress',
    summary: 'Look up broadband at an address, by its ID',
    params: { address: reference },
    query: lookupQuery,
    answers: {
      ...answers,
      400: plainError(
        400,
        '`at`, `explain`, `nearby` or `orderable` is invalid, or given twice.',
        'explain must be 1, or absent.',
      ),
      404: addressErrors[404],
      410: plainError(
        410,
        'The list of addresses no longer has it; or `at` is a day of which the coverage is no longer kept.',
        missingAddress.gone,
      ),
    },
    serve: (context) => chain(context, byId(context)),
  }),
];

/** As a position's, with the address looked up before it is paid for. */
const chain = (context: ApiContext, find: RequestHandler): RequestHandler[] => [
  readOnly,
  requireKey(context, scheme2, forPages),
  limitVisitors2(context),
  limitRate(context.limit, scheme2),
  limitQueries(context, scheme2),
  countQuery(context.meter),
  requireOnce('q', ...Object.keys(lookupQuery.shape)),
  find,
  answerTraced(context),
  answerLookup(context, version2),
];

function byId({ addresses }: ApiContext): RequestHandler {
  return async ({ params }, { locals }, next) => {
    const found = await addresses.byReference(String(params.address));
    if (typeof found === 'string') throw new Refusal(found === 'gone' ? 410 : 404, missingAddress[found]);
    const { lat, lng } = locationOf(found);
    locals.coordinates = [lat, lng];
    locals.address = byReference(found);
    next();
  };
}

function byText(context: ApiContext): RequestHandler {
  return async (request: Request, response, next) => {
    const { address, candidates } = await context.addresses.match(askedTextOf(request.query.q));
    if (address) {
      const { id, text, match, score } = address;
      const { lat, lng } = locationOf(address);
      response.locals.coordinates = [lat, lng];
      response.locals.address = { id, text, match, score };
      return next();
    }
    // Candidates are those of a search, and have its bound.
    if (!takeSearch(context, request)) return refuseSearch(context, response);
    if (candidates.length === 0) throw new Refusal(404, noSuchText);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 300, { code: 300, error: unsure, candidates: candidates.map(foundView) });
  };
}
