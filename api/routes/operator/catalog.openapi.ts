import { operatorErrors } from '../../openapi/operator-errors.ts';
import { answer, integer, list, nullable, number, object, ref, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const operatorCatalogDescription: Description = {
  paths: {
    '/api/operator/catalog': {
      get: {
        operationId: 'getCatalog',
        tags: ['Submissions'],
        summary: 'What forms need: technologies, providers, limits',
        security: security.token,
        responses: { 200: answer('What there is to choose from.', ref('Catalog')), ...operatorErrors() },
      },
    },
  },
  schemas: {
    Catalog: object({
      provider: nullable(
        object(
          {
            id: integer(),
            name: text(),
            url: text(),
            wholesale_network: text(),
            description: text(),
            area_served: list(text()),
          },
          { description: 'The operator’s own; null for staff.' },
        ),
      ),
      providers: list(ref('NamedProvider'), 'Those that may be named.'),
      technologies: list(object({ name: text(), label: text(), set_id: integer() })),
      published: list(
        object({
          provider_id: integer(),
          technology: text(),
          scope: text('Empty: the coverage that has none.'),
          dataset_id: integer(),
          area_km2: nullable(number('Where its areas overlap, each counts.')),
          published_at: text(),
        }),
        'What lookups answer from now, of one’s own provider; of all for staff. A publication replaces what has its technology and its scope, whatever the case.',
      ),
      processing_fees: object(
        { first_cents: integer(), later_cents: integer(), next_cents: nullable(integer()) },
        {
          description:
            'What working coverage out from towers costs, without GST: an operator’s first, each later one, and the operator’s own next; null for staff.',
        },
      ),
      availabilities: list(text()),
      wholesale_networks: list(text()),
      speed_fields: list(text()),
      speed_units: list(text()),
      tower_fields: list(text()),
      upload_limit_bytes: integer('The largest file that is taken in.'),
      service_area: object({ south: number(), west: number(), north: number(), east: number() }),
      basemap_style_url: nullable(text()),
      today: text('In New Zealand: a planned date before it is refused.', { format: 'date' }),
    }),
  },
};
