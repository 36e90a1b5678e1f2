import type { RequestHandler } from 'express';
import type { z } from 'zod';
import type { PictureName, SetName } from '../../../coverage/tiles/published.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendJson } from '../../errors.ts';
import { callerAt, limitPages } from '../../middleware/address-limit.ts';
import { tooManyOfAddress } from '../../schemas/document-errors.ts';
import { MapSettings } from '../../schemas/map.ts';
import { describeBasemap } from '../../views/basemap.ts';
import { describeSet } from '../../views/tile-json.ts';

export const mapSettings = [
  routesFor({ who: 'anyone', tag: 'Map' }).get('/api/map/settings', {
    id: 'getMapSettings',
    summary: 'Get the settings of the public map',
    answers: {
      200: answer('The technologies, the providers and the service area.', MapSettings),
      429: tooManyOfAddress,
    },
    serve: (context) => [limitPages(context), answerSettings(context)],
  }),
];

function answerSettings(context: ApiContext): RequestHandler {
  const { addresses, basemap, catalog, config, mapTokens, tiles } = context;
  return async (request, response) => {
    const { technologies, tiers } = catalog.snapshot;
    const describe = (name: PictureName) => describeSet(context, request, tiles.set(name) as SetName);
    const settings: z.input<typeof MapSettings> = {
      technologies: technologies.map(({ setId, name, label }) => ({ set_id: setId, name, label })),
      providers: [...new Set([...tiers.values()].map(({ provider }) => provider.name))].sort(),
      service_area: config.serviceArea,
      basemap_style_url: config.basemapStyleUrl ?? null,
      basemap_file: describeBasemap(basemap),
      pictures: { best: await describe('best'), areas: await describe('areas') },
      addresses: !addresses.isEmpty,
      lookup_token: mapTokens.give(callerAt(request.ip ?? '')),
    };
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, settings);
  };
}
