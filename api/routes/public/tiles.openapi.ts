import {
  answer,
  integer,
  list,
  number,
  object,
  path,
  plainError,
  query,
  security,
  text,
  tooManyRequests,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { anyOrigin } from '../registry/availability-1.0.openapi.ts';

const tilePosition = [
  path('z', 'Zoom', integer(undefined, { minimum: 0, maximum: 20 }), 8),
  path('x', 'Column', integer(), 252),
  path('y', 'Row', integer(), 156),
];
const tileAnswers = {
  200: {
    description: 'The tile.',
    content: { 'application/vnd.mapbox-vector-tile': { schema: text(undefined, { format: 'binary' }) } },
  },
  204: { description: 'There is nothing in it.' },
  304: { description: 'Not changed since the answer that `If-None-Match` names.' },
};
const set = path('set', 'The technology’s `set_id`', { type: 'integer' }, 1);
const limited = tooManyRequests('Too many from one address.', 'Too many requests. Try again later.');
const notModified = { description: 'Not changed since the answer that `If-None-Match` names.' };
const unknownSet = plainError(
  404,
  'No technology has this `set_id`.',
  'No technology has this set of tiles.',
);

export const tilesDescription: Description = {
  paths: {
    '/tiles.json': {
      get: {
        operationId: 'listTileSets',
        tags: ['Map'],
        summary: 'The sets of tiles, one for each technology',
        security: security.nobody,
        responses: {
          200: {
            ...answer(
              'The sets.',
              object({
                sets: list(
                  object({ set_id: integer(), technology: text(), label: text(), tilejson: text() }),
                ),
              }),
            ),
            headers: anyOrigin,
          },
          304: notModified,
          429: limited,
        },
      },
    },
    '/tiles/{set}.json': {
      get: {
        operationId: 'getTileSet',
        tags: ['Map'],
        summary: 'One set of tiles, as TileJSON 3.0',
        security: security.nobody,
        parameters: [set],
        responses: {
          200: {
            ...answer(
              'Where its tiles are. Their address changes when what they show does.',
              object({
                tilejson: { const: '3.0.0' },
                name: text(),
                scheme: { const: 'xyz' },
                tiles: list(text()),
                minzoom: integer(),
                maxzoom: integer(),
                bounds: list(number()),
                vector_layers: list({ type: 'object', additionalProperties: true }),
              }),
            ),
            headers: anyOrigin,
          },
          304: notModified,
          404: unknownSet,
          429: limited,
        },
      },
    },
    '/tiles/{set}/{z}/{x}/{y}.mvt': {
      get: {
        operationId: 'getTile',
        tags: ['Map'],
        summary: 'Published coverage of a technology, as a vector tile',
        description:
          'One layer, `coverage`, of polygons with `technology`, `availability`, `provider`, `bandwidth_max_mbps`, `bandwidth_up_max_mbps`.',
        security: security.nobody,
        parameters: [
          set,
          ...tilePosition,
          query('v', 'The version that TileJSON names: with it, the answer may be kept for ever', text()),
        ],
        responses: {
          ...tileAnswers,
          400: plainError(400, '`z`, `x`, `y` are not those of a tile.', 'There is no such tile.'),
          404: unknownSet,
          429: limited,
          503: {
            ...plainError(
              503,
              'The tile could not be made in time.',
              'The tile could not be made in time. Try again later.',
            ),
            headers: { 'Retry-After': { description: 'Seconds to wait.', schema: text() } },
          },
        },
      },
    },
  },
};
