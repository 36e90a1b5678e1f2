import { answer, integer, list, nullable, number, object, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const mapSettingsDescription: Description = {
  paths: {
    '/api/map/settings': {
      get: {
        operationId: 'getMapSettings',
        tags: ['Map'],
        summary: 'What the public map has to know before it draws',
        security: security.nobody,
        responses: {
          200: answer(
            'The technologies and the service area.',
            object({
              technologies: list(object({ set_id: integer(), name: text(), label: text() })),
              service_area: object({ south: number(), west: number(), north: number(), east: number() }),
              basemap_style_url: nullable(text('Where a style other than the built-in one is configured.')),
            }),
          ),
        },
      },
    },
  },
};
