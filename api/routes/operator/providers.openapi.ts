import { operatorErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  header,
  integer,
  json,
  list,
  nullable,
  object,
  oneOf,
  path,
  ref,
  security,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Answer, Description, Schema } from '../../openapi/types.ts';

const base = '/api/operator/providers';
const id = path('id', 'Of the provider', { type: 'integer' }, 7);
const tagged = (one: Answer): Answer => ({
  ...one,
  headers: { ETag: { description: 'The revision, for If-Match.', schema: text() } },
});
const profile: Record<string, Schema> = {
  url: text('The provider’s web address: absolute, http or https.', { maxLength: 500 }),
  wholesale_network: oneOf(['Yes', 'No', 'Both'], 'Whether it sells to other providers only.'),
  description: text('A short description; may be empty.', { maxLength: 2000 }),
  area_served: { ...list(text(undefined, { maxLength: 200 }), 'Regions served.'), maxItems: 100 },
};

export const operatorProvidersDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listProviders',
        tags: ['Providers'],
        summary: 'What answers say of providers: an operator’s own, for staff all',
        security: security.token,
        responses: {
          200: answer('By name.', object({ providers: list(ref('ProviderProfile')) })),
          ...operatorErrors(),
        },
      },
    },
    [`${base}/{id}`]: {
      get: {
        operationId: 'getProvider',
        tags: ['Providers'],
        summary: 'What answers say of a provider',
        security: security.token,
        parameters: [id],
        responses: {
          200: tagged(answer('The profile.', ref('ProviderProfile'))),
          ...operatorErrors({ 404: ['provider_unknown'] }),
        },
      },
      put: {
        operationId: 'saveProvider',
        tags: ['Providers'],
        summary: 'Save a provider’s profile',
        description:
          'Every answer shows it from then on, and no manifest changes it any more. Only staff give a provider another name.',
        security: security.token,
        parameters: [
          id,
          {
            ...header('If-Match', 'The ETag of the profile that was changed, or `*`', text(), true),
            example: '"3"',
          },
        ],
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object({ ...profile, name: text('For staff.') }, { optional: ['name'] }),
              example: {
                url: 'https://kauri-fibre.example/',
                wholesale_network: 'Yes',
                description: 'Wholesale fibre in the upper North Island.',
                area_served: ['Northland', 'Auckland'],
              },
            },
          },
        },
        responses: {
          200: tagged(answer('The profile as it is now.', ref('ProviderProfile'))),
          ...operatorErrors({
            400: ['request_invalid'],
            403: ['not_same_origin', 'provider_name_fixed'],
            404: ['provider_unknown'],
            409: ['provider_exists'],
            412: ['provider_changed'],
            422: ['profile_invalid'],
            428: ['if_match_missing'],
          }),
        },
      },
    },
  },
  schemas: {
    ProviderProfile: object({
      id: integer(),
      name: text(),
      ...profile,
      url: text('Empty where none was given: then nothing more is published.'),
      revision: integer('Counts changes.'),
      profile_saved_at: nullable(time('When it was saved here; manifests change it only before that.')),
    }),
  },
};
