import { routes } from '../all-routes.ts';
import { accessOf } from './access-matrix.ts';
import { codeSamples } from './code-samples.ts';
import { describeRoutes } from './operations.ts';
import { shareAnswers } from './shared-answers.ts';
import type { DescribedLimits, Method, OpenApiDocument, Operation, PathItem } from './types.ts';

const tags = [
  {
    name: 'Coverage',
    description: 'Broadband coverage at a position or an address. Requires a customer’s API key.',
  },
  { name: 'Addresses', description: 'Finding addresses. Requires a customer’s API key; not billed.' },
  {
    name: 'Map',
    description: 'Published coverage as vector tiles, for maps. No key required; rate-limited by IP address.',
  },
  { name: 'Registry', description: 'Domain names, for registrars. Access is by registered IP address.' },
  {
    name: 'Submissions',
    description: 'Coverage files, from submission to publication. Requires an operator’s token.',
  },
  { name: 'Uploads', description: 'Resumable file uploads. Requires an operator’s token.' },
  {
    name: 'Providers',
    description: 'Provider profiles, as lookups show them. Requires an operator’s token.',
  },
  {
    name: 'Versions',
    description: 'Current and previous versions of coverage. Requires an operator’s token.',
  },
  {
    name: 'Stops',
    description: 'What takes no new connections, though it is covered. Requires an operator’s token.',
  },
  {
    name: 'Exclusions',
    description: 'Ground that is taken off coverage, whatever files say. Requires an operator’s token.',
  },
  {
    name: 'Exports',
    description: 'Published coverage as files for a GIS. Requires an operator’s token.',
  },
  { name: 'Account', description: 'A customer’s own usage, keys and invoices. Requires a customer’s token.' },
  { name: 'Billing', description: 'Customers, plans, usage, ledger and invoices. Requires a staff token.' },
  {
    name: 'Bank',
    description: 'Money in by a bank’s file: lines, proposals, payments. Requires a staff token.',
  },
  {
    name: 'Xero',
    description: 'Xero’s files of a period, and payments from Xero. Requires a staff token.',
  },
  { name: 'Address imports', description: 'Imports of the list of addresses. Requires a staff token.' },
  {
    name: 'Statistics',
    description: 'Premises by region. Requires a staff token; for no research, and for nobody else.',
  },
  { name: 'E-mail', description: 'What the service sends by e-mail, to whom, and how far it has come.' },
  { name: 'Sessions', description: 'Browser sessions: sign in and out.' },
  { name: 'Staff', description: 'Coverage modelling and the audit log. Requires a staff token.' },
  { name: 'Monitoring', description: 'Metrics. Access is from this machine and from listed networks.' },
  { name: 'Service', description: 'Health checks and this description.' },
];

const described = new Map<string, OpenApiDocument>();

/** The description of the API, generated from the definitions of its routes. It takes some 0.3 s, and is made once for the same limits. */
export function describeApi({
  serviceArea,
  uploadLimitBytes,
  registryMaxNames,
}: DescribedLimits): OpenApiDocument {
  const limits = { serviceArea, uploadLimitBytes, registryMaxNames };
  const key = JSON.stringify(limits);
  const document = described.get(key) ?? makeDocument(limits);
  described.set(key, document);
  return document;
}

function makeDocument(limits: DescribedLimits): OpenApiDocument {
  const { paths: separate, schemas } = describeRoutes(routes(limits));
  const whole = Object.entries(separate).map(([path, item]) => [path, withAccessAndSamples(path, item)]);
  const { paths, responses } = shareAnswers(Object.fromEntries(whole));
  return {
    openapi: '3.1.0',
    info: {
      title: 'covermap',
      version: '2.0',
      summary: 'What broadband is here?',
      description:
        'Look up broadband coverage by position, check domain names, and publish coverage as a network operator.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      schemas,
      responses,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A customer’s API key.' },
        apiKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'A customer’s API key, for version 1.0.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of an operator, a customer or a member of staff.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'covermap_session',
          description:
            'The session cookie that a sign-in sets. Over HTTPS its name is `__Host-covermap_session`.',
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
