import type { RequestHandler } from 'express';
import { z } from 'zod';
import { named } from '../../../platform/schemas.ts';
import { listZones } from '../../../registry/zones.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Refusal } from '../../errors.ts';
import { limitNames, requireRegistrar } from '../../middleware/registrars.ts';
import { anyOriginHeaders, notARegistrar, plainError, tooManyNames } from '../../schemas/document-errors.ts';

const Zone = named('Zone', {
  zone: z.string().describe('In the order of the answers to `string`.'),
  letters: z
    .string()
    .describe(
      'The letters that its names may have besides a to z, digits and the hyphen, one after the other.',
    ),
  moderated: z
    .boolean()
    .describe(
      'True where 220 Available does not say that everybody may register the name: only those whom the zone is for may, after its moderator’s consent.',
    ),
});

/** The zones: `GET /1.0/zones`. */
export const registryZones1 = [
  routesFor({ who: 'registrar', tag: 'Registry', anyOrigin: true }).get('/1.0/zones', {
    id: 'getZones',
    summary: 'List the zones',
    description:
      'The zones under which names are registered, and what each sells to whom. It counts as one name. ' +
      'Only the registered IP addresses of registrars have access.',
    answers: {
      200: answer('The zones.', z.array(Zone), {
        example: [
          { zone: 'co.nz', letters: 'āēīōū', moderated: false },
          { zone: 'iwi.nz', letters: 'āēīōū', moderated: true },
        ],
        headers: anyOriginHeaders,
      }),
      403: notARegistrar,
      429: tooManyNames,
      500: plainError(500, 'The register could not be read.', 'The zones could not be read.'),
    },
    serve: (context) => [requireRegistrar(context), answerZones(context)],
  }),
];

function answerZones({ newestDatabase, registryLimit }: ApiContext): RequestHandler {
  const takeNames = limitNames(registryLimit);
  return async (request, response) => {
    await takeNames(request, response, 1);
    const zones = await listZones(newestDatabase).catch((cause) => {
      throw new Refusal(500, 'The zones could not be read.', { cause });
    });
    response.setHeader('Cache-Control', 'no-store');
    response.json(zones);
  };
}
