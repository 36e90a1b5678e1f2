import { z } from 'zod';
import {
  type CoverageExport,
  createExport,
  exportFields,
  exportFormats,
  findExport,
  listExports,
  removeExport,
} from '../../../coverage/exports/exports.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { today } from '../../../platform/nz-time.ts';
import { named } from '../../../platform/schemas.ts';
import { answer, located, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { attachment } from '../../http/attachment.ts';
import { sendStream } from '../../http/send-stream.ts';
import { Links } from '../../schemas/operator.ts';
import { dayIfGiven, lineIfGiven } from '../../schemas/values.ts';

const base = '/api/operator/exports';
const id = z.uuid().meta({
  description: 'The export’s ID',
  example: '3c1f8b0a-6d2e-4f57-8a94-1b7c5d9e0f2a',
});
const operator = routesFor({ who: 'operator', tag: 'Exports' });
const ofExport = routesFor({ who: 'operator', tag: 'Exports', params: { id } });

const Export = named('CoverageExport', { ...exportFields, links: Links });

const wanted = z.object({
  provider: lineIfGiven().describe('The name of the provider. Staff give it; an operator’s own by default.'),
  technology: lineIfGiven().describe('Only this technology.'),
  day: dayIfGiven().describe(
    'What was published at the end of this day in New Zealand. Without it, what is published now.',
  ),
  format: z
    .enum(exportFormats)
    .describe(
      '`geopackage`: layers of areas and premises. All others are a zip with a file of areas and `premises.csv`; `csv` has the premises alone.',
    ),
});

/** Published coverage as files: docs/operator/operator-page.md. */
export const operatorExports = [
  operator.post(base, {
    id: 'exportCoverage',
    summary: 'Export published coverage',
    description:
      'A worker writes the file, of one state of what is published. Areas are the pieces in which lookups find them, with all digits of their coordinates.',
    body: wanted,
    example: { format: 'geopackage', technology: 'fibre' },
    answers: { 202: answer('The export waits for a worker.', Export, located('The URL of the export.')) },
    errors: [
      ...(['provider_not_yours', 'provider_unknown', 'technology_unknown', 'export_empty'] as const),
      ...(['export_not_kept', 'export_without_addresses', 'exports_too_many'] as const),
      'exports_quota_exceeded',
    ],
    async handle({ database, config, sendJob }, { body, identity, actor }) {
      const { provider, technology, day, format } = body;
      if (day !== undefined && day > today()) throw invalidRequest('"day" has not come yet.');
      const providerId = await providerOf(database, provider, identity.provider);
      const asked = { providerId, byStaff: identity.provider === null, technology, day, format };
      const created = await createExport(database, asked, actor, config.exports);
      sendJob('export-coverage', created);
      const Location = `${base}/${created}`;
      return reply(202, shown(await requireExport(database, created)), { Location });
    },
  }),
  operator.get(base, {
    id: 'listExports',
    summary: 'List exports',
    answers: {
      200: answer(
        'The last 100, newest first: those that the operator asked for, or all of them for staff.',
        z.object({ exports: z.array(Export) }),
      ),
    },
    handle: async ({ database }, { viewer }) => ({
      exports: (await listExports(database, viewer)).map(shown),
    }),
  }),
  ofExport.get(`${base}/{id}`, {
    id: 'getExport',
    summary: 'Get an export, with its progress',
    answers: { 200: answer('The export.', Export) },
    handle: async ({ database }, { params }) => shown(await requireExport(database, params.id)),
  }),
  ofExport.delete(`${base}/{id}`, {
    id: 'removeExport',
    summary: 'Remove an export and its file, or cancel it',
    answers: { 204: { description: 'The export is removed.' } },
    async handle({ database, storage }, { params, actor }) {
      await removeExport(database, storage, params.id, actor);
      return reply(204, undefined);
    },
  }),
  ofExport.get(`${base}/{id}/file`, {
    id: 'getExportFile',
    summary: 'Get the file of an export',
    answers: {
      200: {
        description: 'The file.',
        content: {
          'application/geopackage+sqlite3': { schema: z.string().meta({ format: 'binary' }) },
          'application/zip': { schema: z.string().meta({ format: 'binary' }) },
        },
      },
    },
    errors: ['export_not_done', 'storage_unavailable'],
    async handle({ database, storage }, { params, request, response }) {
      const {
        storageKey,
        file_name: name,
        size_bytes: size,
        format,
      } = await requireExport(database, params.id);
      if (storageKey === null || name === null || size === null) throw new CovermapError('export_not_done');
      const file = await storage.read(storageKey);
      const type = format === 'geopackage' ? 'application/geopackage+sqlite3' : 'application/zip';
      response.setHeader('Content-Type', type);
      response.setHeader('Content-Length', size);
      response.setHeader('Content-Disposition', attachment(name));
      response.setHeader('Cache-Control', 'no-store');
      if (request.method !== 'HEAD') return void (await sendStream(response, file));
      file.destroy();
      return void response.end();
    },
  }),
];

/** @throws CovermapError `provider_not_yours`, `provider_unknown`, `request_invalid` where staff name none */
async function providerOf(
  db: Queryable,
  name: string | undefined,
  own: { id: number; name: string } | null,
): Promise<number> {
  if (own) {
    if (name === undefined || name.toLowerCase() === own.name.toLowerCase()) return own.id;
    throw new CovermapError('provider_not_yours', `This token is for ${own.name}.`);
  }
  if (name === undefined) throw invalidRequest('"provider" is missing.');
  const { rows } = await db.query<{ id: number }>(sql`
    select id from provider where lower(name) = lower(${name})`);
  if (!rows[0]) throw new CovermapError('provider_unknown');
  return rows[0].id;
}

async function requireExport(db: Queryable, id: string): Promise<CoverageExport> {
  const found = await findExport(db, id);
  if (!found) throw new CovermapError('export_unknown');
  return found;
}

function shown({ byStaff: _, technologyId: __, datasetIds: ___, storageKey, ...one }: CoverageExport) {
  const self = `${base}/${one.id}`;
  return { ...one, links: { self, ...(storageKey !== null && { file: `${self}/file` }) } };
}
