import { type RequestHandler, type Response, Router } from 'express';
import type { Technology } from '../../../core/coverage/lookup/catalog.ts';
import { publishedLayer } from '../../../core/coverage/tiles/published.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { originOf } from '../../http/origin.ts';
import { sendPublicJson, sendPublishedTile, tileOf } from '../../http/tile-response.ts';
import { limitByAddress } from '../../middleware/address-limit.ts';
import { readOnly, sendError } from '../../middleware/errors.ts';

/** Beyond this zoom maps enlarge tiles: shapes are exact to half a metre there. */
const maxZoom = 14;

/**
 * Published coverage as vector tiles, a set of them for each technology. docs/tiles.md has the whole of it.
 *
 *     GET /tiles.json
 *     GET /tiles/<set_id>.json
 *     GET /tiles/<set_id>/{z}/{x}/{y}.mvt?v=<version>
 */
export function tiles({ tiles: published, catalog, config, logger }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const limit = limitByAddress(config.tileRate);

  router.all('/tiles.json', anyOrigin, readOnly, limit, (request, response) => {
    const sets = catalog.snapshot.technologies.map(({ setId, name, label }) => ({
      set_id: setId,
      technology: name,
      label,
      tilejson: `${originOf(request, config.publicUrl)}/tiles/${setId}.json`,
    }));
    sendPublicJson(request, response, { sets });
  });

  router.all('/tiles/:set.json', anyOrigin, readOnly, limit, async (request, response) => {
    const technology = setOf(request.params.set);
    if (!technology) return unknownSet(response);
    const version = await published.version(technology);
    const { west, south, east, north } = config.serviceArea;
    sendPublicJson(request, response, {
      tilejson: '3.0.0',
      name: technology.label,
      scheme: 'xyz',
      tiles: [
        `${originOf(request, config.publicUrl)}/tiles/${technology.setId}/{z}/{x}/{y}.mvt?v=${version}`,
      ],
      minzoom: 0,
      maxzoom: maxZoom,
      bounds: [west, south, east, north],
      vector_layers: [
        {
          id: publishedLayer,
          fields: {
            technology: 'String',
            availability: 'String',
            provider: 'String',
            bandwidth_max_mbps: 'Number',
            bandwidth_up_max_mbps: 'Number',
          },
          minzoom: 0,
          maxzoom: maxZoom,
        },
      ],
    });
  });

  router.all('/tiles/:set/:z/:x/:y.mvt', anyOrigin, readOnly, limit, async (request, response) => {
    const technology = setOf(request.params.set);
    if (!technology) return unknownSet(response);
    let tile: ReturnType<typeof tileOf>;
    try {
      tile = tileOf(request);
    } catch (error) {
      if (!(error instanceof CovermapError)) throw error;
      return sendError(response, 400, error.message);
    }
    const asked = typeof request.query.v === 'string' ? request.query.v : undefined;
    try {
      const version = await published.version(technology, asked);
      await sendPublishedTile(request, response, version, asked, () => published.tile(technology, tile));
    } catch (error) {
      logger.error({ err: error, path: request.path }, 'a tile could not be made');
      response.setHeader('Retry-After', '5');
      sendError(response, 503, 'The tile could not be made in time. Try again later.');
    }
  });
  return router;

  function setOf(text: unknown): Technology | undefined {
    return typeof text === 'string' && /^\d{1,9}$/.test(text)
      ? published.technology(Number(text))
      : undefined;
  }
}

/** Maps on other sites may show it. */
const anyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
};

function unknownSet(response: Response): void {
  sendError(response, 404, 'No technology has this set of tiles.');
}
