import express, { type Request, type Response, Router } from 'express';
import {
  listProviders,
  type Provider,
  publishingThemselves,
  saveProfile,
} from '../../../core/coverage/lookup/providers.ts';
import { parseProfile } from '../../../core/coverage/submissions/manifest.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf, identityOf, viewerOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { bodyObject, rowNumber } from '../../request-values.ts';

const base = '/api/operator/providers';

/**
 * What answers say of providers: an operator's own, and for staff all.
 *
 *     GET /api/operator/providers
 *     GET /api/operator/providers/<id>
 *     PUT /api/operator/providers/<id>    If-Match: "<revision>"
 */
export function operatorProviders(context: ApiContext): Router {
  const { database } = context;
  const router = Router({ caseSensitive: true });
  router.get(base, async (request, response) => {
    const providers = await listProviders(database, viewerOf(request).providerId);
    sendJson(response, 200, { providers });
  });
  router.all(base, otherMethods('GET'));
  router.get(`${base}/:id`, async (request, response) => {
    const [provider] = await listProviders(database, idOf(request));
    sendProvider(response, provider as Provider);
  });
  // 100 areas of 200 characters, each of which may take four bytes.
  router.put(`${base}/:id`, express.json({ limit: '200kb' }), async (request, response) => {
    const id = idOf(request);
    const profile = parseProfile(bodyObject(request));
    const own = identityOf(request).provider;
    if (own && profile.name !== undefined && profile.name !== own.name) {
      throw new CovermapError(
        'provider_name_fixed',
        'The name of a provider is changed by staff.',
        'Leave "name" out, and ask the people who run this service.',
      );
    }
    const saved = await saveProfile(database, id, profile, seenRevision(request), actorOf(request));
    for (const submission of await publishingThemselves(database, id)) context.sendJob('ingest', submission);
    sendProvider(response, saved);
  });
  router.all(`${base}/:id`, otherMethods('GET', 'PUT'));
  return router;
}

/** Which one the path names; whether there is such a provider, and whose it is, was asked before. */
function idOf(request: Request): number {
  return rowNumber(request.params.id) as number;
}

function sendProvider(response: Response, provider: Provider): void {
  response.setHeader('ETag', `"${provider.revision}"`);
  sendJson(response, 200, provider);
}

/**
 * The revision that `If-Match` names; undefined for `*`.
 * @throws CovermapError `if_match_missing`
 */
function seenRevision(request: Request): number | undefined {
  const tag = request.get('if-match')?.trim();
  if (tag === undefined || tag === '') {
    throw new CovermapError(
      'if_match_missing',
      'If-Match is missing: which version of the profile was changed.',
      'Send the ETag of the answer that you started from, or * to overwrite whatever is there.',
    );
  }
  if (tag === '*') return undefined;
  const revision = /^"(\d{1,9})"$/.exec(tag)?.[1];
  if (revision === undefined) throw invalidRequest('"If-Match" has to be the ETag of a profile, or *.');
  return Number(revision);
}
