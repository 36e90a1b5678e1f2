import { Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { readOnly, sendJson } from '../../middleware/errors.ts';

/**
 * What the public map has to know before it draws.
 *
 *     GET /api/map/settings
 *
 * 200 `{technologies: [{set_id, name, label}], service_area, basemap_style_url}`
 */
export function mapSettings({ catalog, config }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all('/api/map/settings', readOnly, (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    sendJson(response, 200, {
      technologies: catalog.snapshot.technologies.map(({ setId, name, label }) => ({
        set_id: setId,
        name,
        label,
      })),
      service_area: config.serviceArea,
      basemap_style_url: config.basemapStyleUrl ?? null,
    });
  });
  return router;
}
