import { describeAvailability1 } from '../routes/availability/availability-1.0.openapi.ts';
import { bulk2Description } from '../routes/availability/bulk-2.0.openapi.ts';
import { bulkJobs2Description } from '../routes/availability/bulk-jobs-2.0.openapi.ts';
import { providers2Description } from '../routes/availability/providers-2.0.openapi.ts';
import { usage2Description } from '../routes/availability/usage-2.0.openapi.ts';
import { healthDescription } from '../routes/public/health.openapi.ts';
import { mapLookupDescription } from '../routes/public/map-lookup.openapi.ts';
import { mapSettingsDescription } from '../routes/public/map-settings.openapi.ts';
import { openapiDescription } from '../routes/public/openapi.openapi.ts';
import { sessionDescription } from '../routes/public/session.openapi.ts';
import { tilesDescription } from '../routes/public/tiles.openapi.ts';
import { describeRegistryAvailability } from '../routes/registry/availability-1.0.openapi.ts';
import { registryDroplistDescription } from '../routes/registry/droplist-1.0.openapi.ts';
import { routes } from '../routes.ts';
import { accessOf } from './access.ts';
import { codeSamples } from './code-samples.ts';
import { integer, object, text } from './parts.ts';
import { describeRoutes } from './routes.ts';
import type { DescribedLimits, Description, Method, Operation, PathItem, Schema } from './types.ts';

/** An OpenAPI 3.1 description. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: object;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

const tags = [
  { name: 'Coverage', description: 'What broadband is at a position. With a customer’s key.' },
  {
    name: 'Map',
    description: 'Published coverage as vector tiles, for maps. Without a key, limited by address.',
  },
  { name: 'Registry', description: 'Domain names, for registrars. By the address that a call comes from.' },
  { name: 'Submissions', description: 'Coverage that operators submit. With an operator’s token.' },
  { name: 'Uploads', description: 'Resumable uploads of files. With an operator’s token.' },
  { name: 'Providers', description: 'What answers say of a provider. With an operator’s token.' },
  { name: 'Versions', description: 'What is published, and what was. With an operator’s token.' },
  { name: 'Account', description: 'Usage, keys and invoices of a customer. With a customer’s token.' },
  { name: 'Billing', description: 'Customers, usage, invoices. With a token of staff.' },
  { name: 'Sessions', description: 'Signing in and out, for browsers.' },
  { name: 'Staff', description: 'The work of those who run the service. With a token of staff.' },
  { name: 'Service', description: 'Whether it works.' },
];

/**
 * The description of the API. Each route is described in the file beside it (`api/routes/<route>.openapi.ts`), and here
 * they are put together.
 */
export function describeApi(limits: DescribedLimits): OpenApiDocument {
  const descriptions: Description[] = [
    bulk2Description,
    bulkJobs2Description,
    providers2Description,
    usage2Description,
    describeAvailability1(limits),
    describeRegistryAvailability(limits),
    registryDroplistDescription,
    sessionDescription,
    tilesDescription,
    mapLookupDescription,
    mapSettingsDescription,
    openapiDescription,
    healthDescription,
  ];
  const defined = describeRoutes(routes(limits));
  const paths: Record<string, PathItem> = Object.assign(
    {},
    defined.paths,
    ...descriptions.map((one) => one.paths),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'covermap',
      version: '2.0',
      summary: 'What broadband is here?',
      description:
        'Coverage by latitude and longitude, the domain registry’s read-only service, and the interface of network operators.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withAccessAndSamples(path, item)]),
    ),
    components: {
      schemas: Object.assign({}, commonSchemas, ...descriptions.map((one) => one.schemas), defined.schemas),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A customer’s key.' },
        apiKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'A customer’s key, as version 1.0 takes it.',
        },
        token: { type: 'http', scheme: 'bearer', description: 'A token of an operator or of staff.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'covermap_session',
          description:
            'What a browser has after signing in; over https its name is `__Host-covermap_session`.',
        },
      },
    },
  };
}

const commonSchemas: Record<string, Schema> = {
  Error: object({ code: integer('The HTTP status again.'), error: text('A sentence.') }),
  MessageError: object({ message: text('A sentence.') }),
  CodedError: object(
    {
      code: text('For programs; stays as it is.'),
      message: text('What is wrong, a sentence.'),
      hint: text('What to do about it.'),
      docs: text('The address of its section in the documentation, as /docs#/errors/request_invalid.'),
    },
    { optional: ['hint'] },
  ),
};

function withAccessAndSamples(path: string, item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]: [string, Operation]) => [
      method,
      {
        ...operation,
        'x-access': accessOf(path, operation),
        'x-codeSamples': codeSamples(path, method as Method, operation),
      },
    ]),
  );
}
