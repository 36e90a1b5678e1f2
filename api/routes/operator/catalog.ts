import { Router } from 'express';
import { processingFees } from '../../../core/billing/processing-fees.ts';
import { listPublished } from '../../../core/coverage/datasets/scopes.ts';
import { listProviders } from '../../../core/coverage/lookup/providers.ts';
import { speedFields, speedUnits } from '../../../core/coverage/speeds.ts';
import { availabilities, wholesaleKinds } from '../../../core/coverage/submissions/manifest.ts';
import { today } from '../../../core/nz-time.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { identityOf, viewerOf } from '../../middleware/identity.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';

/**
 * What the forms of a page need to know.
 *
 *     GET /api/operator/catalog
 */
export function operatorCatalog({ catalog, config, database }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const path = '/api/operator/catalog';
  router.get(path, async (request, response) => {
    const { providerId } = viewerOf(request);
    const providers = await listProviders(database, providerId);
    const own = identityOf(request).provider;
    const { technologies } = await catalog.refreshIfStale();
    sendJson(response, 200, {
      provider: providers.find(({ id }) => id === own?.id) ?? null,
      providers: providers.map(({ id, name }) => ({ id, name })),
      technologies: technologies.map(({ name, label, setId }) => ({ name, label, set_id: setId })),
      published: await listPublished(database, providerId),
      processing_fees: await processingFees(database, own?.id),
      availabilities,
      wholesale_networks: wholesaleKinds,
      speed_fields: speedFields,
      speed_units: speedUnits,
      tower_fields: [
        'name',
        'lat',
        'lng',
        'height_m',
        'azimuth_deg',
        'beam_width_deg',
        'power_dbm',
        'frequency_mhz',
        ...speedFields,
      ],
      upload_limit_bytes: config.uploadLimitBytes,
      service_area: config.serviceArea,
      basemap_style_url: config.basemapStyleUrl ?? null,
      today: today(),
    });
  });
  router.all(path, otherMethods('GET'));
  return router;
}
