import { routes } from '../routes.ts';
import { accessOf } from './access.ts';
import { codeSamples } from './code-samples.ts';
import { describeRoutes } from './routes.ts';
import type { DescribedLimits, Method, OpenApiDocument, Operation, PathItem } from './types.ts';

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

/** The description of the API, made of the definitions of its routes. */
export function describeApi(limits: DescribedLimits): OpenApiDocument {
  const { paths, schemas } = describeRoutes(routes(limits));
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
      schemas,
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
