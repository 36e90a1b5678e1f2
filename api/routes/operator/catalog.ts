import { processingFees } from '../../../billing/processing-fees.ts';
import { listPublished } from '../../../coverage/datasets/versions.ts';
import { availabilities } from '../../../coverage/offer.ts';
import { wholesaleKinds } from '../../../coverage/providers/profile.ts';
import { listProviders } from '../../../coverage/providers/providers.ts';
import { speedFields, speedUnits } from '../../../coverage/speeds.ts';
import { towerFields } from '../../../coverage/submissions/tower-columns.ts';
import { today } from '../../../platform/nz-time.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Catalog } from '../../schemas/operator.ts';
import { describeBasemap } from '../../views/basemap.ts';

/** The data of a page's forms. */
export const operatorCatalog = [
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/catalog', {
    id: 'getCatalog',
    summary: 'Get the choices and limits for forms',
    answers: { 200: answer('The technologies, providers, published coverage and limits.', Catalog) },
    async handle({ basemap, catalog, config, database, now }, { identity, viewer: { providerId } }) {
      const providers = await listProviders(database, providerId);
      const { technologies } = await catalog.refreshIfStale();
      return {
        provider: providers.find(({ id }) => id === identity.provider?.id) ?? null,
        providers: providers.map(({ id, name }) => ({ id, name })),
        technologies: technologies.map(({ name, label, setId }) => ({ name, label, set_id: setId })),
        published: await listPublished(database, providerId),
        processing_fees: await processingFees(database, identity.provider?.id, now()),
        availabilities,
        wholesale_networks: wholesaleKinds,
        speed_fields: speedFields,
        speed_units: speedUnits,
        tower_fields: towerFields,
        upload_limit_bytes: config.uploadLimitBytes,
        service_area: config.serviceArea,
        basemap_style_url: config.basemapStyleUrl ?? null,
        basemap_file: describeBasemap(basemap),
        today: today(),
      };
    },
  }),
];
