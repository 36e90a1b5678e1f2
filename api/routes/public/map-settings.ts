import type { PictureName, SetName } from '../../../core/coverage/tiles/published.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { callerAt } from '../../middleware/address-limit.ts';
import { MapSettings } from '../../schemas/map.ts';
import { describeBasemap } from '../../views/basemap.ts';
import { describeSet } from '../../views/tile-json.ts';

export const mapSettings = [
  routesFor({ who: 'anyone', tag: 'Map' }).get('/api/map/settings', {
    id: 'getMapSettings',
    summary: 'Get the settings of the public map',
    answers: { 200: answer('The technologies, the providers and the service area.', MapSettings) },
    async handle(context, { request }) {
      const { basemap, catalog, config, mapTokens, tiles } = context;
      const describe = (name: PictureName) => describeSet(context, request, tiles.set(name) as SetName);
      const settings = {
        technologies: catalog.snapshot.technologies.map(({ setId, name, label }) => ({
          set_id: setId,
          name,
          label,
        })),
        providers: [
          ...new Set([...catalog.snapshot.tiers.values()].map(({ provider }) => provider.name)),
        ].sort(),
        service_area: config.serviceArea,
        basemap_style_url: config.basemapStyleUrl ?? null,
        basemap_file: describeBasemap(basemap),
        pictures: { best: await describe('best'), areas: await describe('areas') },
        lookup_token: mapTokens.give(callerAt(request.ip ?? '')),
      };
      return reply(200, settings, { 'Cache-Control': 'no-store' });
    },
  }),
];
