import type { RequestHandler } from 'express';
import { z } from 'zod';
import { pictureNames } from '../../../coverage/tiles/published.ts';
import { type ApiContext, onceForEachApi } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Refusal, sendError } from '../../errors.ts';
import { revalidated, sendKeptJson } from '../../http/conditional.ts';
import { requireOnce } from '../../http/parameters.ts';
import { limitByAddress } from '../../middleware/address-limit.ts';
import {
  anyOriginHeaders,
  notModified,
  plainError,
  retryAfter,
  tooManyOfAddress,
} from '../../schemas/document-errors.ts';
import { TileJson, TileSets, tileAnswers, tileParams } from '../../schemas/map.ts';
import { sendPublishedTile, tileOf } from '../../views/tile.ts';
import { describeSet, originOf } from '../../views/tile-json.ts';

const set = z.string().meta({
  description: `The \`set_id\` of a technology, or a picture of all: ${pictureNames.map((name) => `\`${name}\``).join(', ')}`,
  example: '1',
});
const noSuchSet = 'There is no such set of tiles.';
const noSuchTile = 'There is no such tile. Check the address against the reference at /docs.';
const tooSlow = 'The tile could not be made in time. Try again later.';
const anyone = routesFor({ who: 'anyone', tag: 'Map', anyOrigin: true });
const headers = anyOriginHeaders;
const errors = { 429: tooManyOfAddress };
const errorsOfSet = { 404: plainError(404, 'There is no set with this id.', noSuchSet), ...errors };

/** Published coverage as vector tiles, a set for each technology: docs/user/tiles.md. */
export const tiles = [
  anyone.get('/tiles.json', {
    id: 'listTileSets',
    summary: 'List tile sets',
    answers: {
      200: answer('A tile set for each technology, and the pictures of all of them.', TileSets, { headers }),
      304: notModified,
      ...errors,
    },
    serve: (context) => [limited(context), answerSets(context)],
  }),
  anyone.get('/tiles/{set}.json', {
    id: 'getTileSet',
    summary: 'Get a tile set as TileJSON 3.0',
    params: { set },
    answers: {
      200: answer('The TileJSON. The URL of the tiles changes with their content.', TileJson, {
        headers,
      }),
      304: notModified,
      ...errorsOfSet,
    },
    serve: (context) => [limited(context), answerSet(context)],
  }),
  anyone.get('/tiles/{set}/{z}/{x}/{y}.mvt', {
    id: 'getTile',
    summary: 'Get a tile of published coverage',
    description:
      'The tile has one layer, `coverage`: polygons whose properties the TileJSON of the set lists.',
    params: { set, ...tileParams },
    query: z.object({
      v: z
        .string()
        .optional()
        .describe('The version from the TileJSON. With it, the answer can be cached forever'),
    }),
    answers: {
      ...tileAnswers,
      400: plainError(400, 'No tile has this `z`, `x` and `y`; or `v` is given twice.', noSuchTile),
      ...errorsOfSet,
      503: plainError(503, 'The tile could not be made in time.', tooSlow, retryAfter),
    },
    serve: (context) => [limited(context), requireOnce('v'), answerTile(context)],
  }),
];

/** All three routes share one limit. */
const limited = onceForEachApi(({ config }) => limitByAddress(config.tileRate));

function answerSets({ catalog, config, tiles: published }: ApiContext): RequestHandler {
  return (request, response) => {
    const origin = originOf(request, config.publicUrl);
    const sets = catalog.snapshot.technologies.map(({ setId, name, label }) => ({
      set_id: setId,
      technology: name,
      label,
      tilejson: `${origin}/tiles/${setId}.json`,
    }));
    const pictures = pictureNames.map((name) => ({
      name,
      label: published.set(name)?.label,
      tilejson: `${origin}/tiles/${name}.json`,
    }));
    sendKeptJson(request, response, JSON.stringify({ sets, pictures }), revalidated.public);
  };
}

function answerSet(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const set = context.tiles.set(String(request.params.set));
    if (!set) return sendError(response, 404, noSuchSet);
    const tileJson = await describeSet(context, request, set);
    sendKeptJson(request, response, JSON.stringify(tileJson), revalidated.public);
  };
}

function answerTile({ tiles: published }: ApiContext): RequestHandler {
  return async (request, response) => {
    const set = published.set(String(request.params.set));
    if (!set) return sendError(response, 404, noSuchSet);
    const tile = tileOf(request);
    const asked = typeof request.query.v === 'string' ? request.query.v : undefined;
    try {
      const version = await published.version(set, asked);
      await sendPublishedTile(request, response, version, asked, () => published.tile(set, tile));
    } catch (cause) {
      throw new Refusal(503, tooSlow, { cause, retrySeconds: 5 });
    }
  };
}
