import type { Request } from 'express';
import { z } from 'zod';
import { acceptable, ImportOptions } from '../../../addresses/import-options.ts';
import {
  type AddressImport,
  cancelImport,
  findImport,
  importFields,
  listImports,
  readAddressList,
  recordImport,
} from '../../../addresses/imports.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { named, time } from '../../../platform/schemas.ts';
import { checkBody } from '../../checks.ts';
import type { ApiContext } from '../../context.ts';
import { answer, located, routesFor } from '../../define-route.ts';
import { formErrors, invalidRequest, sendJson } from '../../errors.ts';
import { withForm } from '../../http/multipart.ts';
import { actorOf } from '../../middleware/identity.ts';

const base = '/api/staff/address-imports';
const id = z.uuid().meta({
  description: 'The import’s ID',
  example: '7d0c6a52-1f3e-4b7a-9c8d-2e5f4a6b8c9d',
});
const staff = routesFor({ who: 'staff', tag: 'Address imports' });
const ofImport = routesFor({ who: 'staff', tag: 'Address imports', params: { id } });

const AddressImportView = named('AddressImport', importFields);

const AddressList = named('AddressList', {
  is_empty: z.boolean().describe('True where no list was imported: then nothing asks by address.'),
  addresses: z.int(),
  streets: z.int().describe('Roads, by suburb and town.'),
  premises: z
    .int()
    .nullable()
    .describe(
      'Points with addresses: several units may share one. Null where the last import has no report.',
    ),
  version: z.int().describe('Each import that changes something makes the next one.'),
  changed_at: time().nullable().describe('Null where no list was imported.'),
  file_limit_bytes: z.int().describe('The largest file that can be uploaded.'),
});

const flag = () => z.enum(['true', 'false']).optional();

const formToImport = z.object({
  file: z.string().describe('The file.').meta({ format: 'binary' }),
  system: ImportOptions.shape.system,
  postcodes: flag().describe('`true`: the file has postcodes of addresses of the list.'),
  columns: z
    .string()
    .optional()
    .describe('The names of columns, as JSON.')
    .meta({ example: '{"id": "GAVIC"}' }),
  accept: z
    .string()
    .optional()
    .describe(`What is accepted though it looks wrong, with commas: ${acceptable.join(', ')}.`),
  dry_run: flag().describe('`true`: changes nothing, and reports what the file would change.'),
});

const viewOf = ({ storage_key: _, ...shown }: AddressImport) => shown;

/** Imports of addresses, which a worker does. */
export const addressImports = [
  staff.get('/api/staff/addresses', {
    id: 'getAddressList',
    summary: 'Get what the list of addresses is',
    answers: { 200: answer('The list.', AddressList) },
    handle: async ({ database, config }) => ({
      ...(await readAddressList(database)),
      file_limit_bytes: config.addressFileBytes,
    }),
  }),
  staff.post(base, {
    id: 'importAddresses',
    summary: 'Import a file of addresses',
    description:
      'The file is stored when the answer arrives, and a worker imports all of it, or nothing. Until it is done, the old list answers.',
    bodies: {
      'multipart/form-data': { schema: formToImport, example: { file: '@nz-addresses.csv' } },
    },
    answers: {
      202: answer(
        'The file is stored and waits for a worker.',
        AddressImportView,
        located('The URL of the import.'),
      ),
    },
    errors: [...formErrors.filter((code) => code !== 'manifest_not_json'), 'request_invalid'],
    serve: (context) => [
      async (request, response) => {
        const received = await storeAndRecord(context, request);
        response.setHeader('Location', `${base}/${received.id}`);
        sendJson(response, 202, viewOf(received));
      },
    ],
  }),
  staff.get(base, {
    id: 'listAddressImports',
    summary: 'List the imports of addresses',
    answers: {
      200: answer('The last 50, newest first.', z.object({ imports: z.array(AddressImportView) })),
    },
    handle: async ({ database }) => ({ imports: (await listImports(database)).map(viewOf) }),
  }),
  ofImport.get(`${base}/{id}`, {
    id: 'getAddressImport',
    summary: 'Get an import of addresses, with its progress and its report',
    answers: { 200: answer('The import.', AddressImportView) },
    handle: async (context, { params }) => viewOf(await requireImport(context, params.id)),
  }),
  ofImport.post(`${base}/{id}/cancel`, {
    id: 'cancelAddressImport',
    summary: 'Cancel an import of addresses that is not done',
    answers: { 200: answer('The import, which is cancelled. The list is as it was.', AddressImportView) },
    errors: ['import_ended'],
    async handle(context, { params, actor }) {
      const key = await cancelImport(context.database, params.id, actor);
      if (key === undefined) throw new CovermapError('import_ended');
      // If this fails, the file is removed later, like every file that no row refers to.
      await context.storage.remove(key).catch(() => undefined);
      return viewOf(await requireImport(context, params.id));
    },
  }),
];

async function requireImport({ database }: ApiContext, id: string): Promise<AddressImport> {
  const found = await findImport(database, id);
  if (!found) throw new CovermapError('import_unknown');
  return found;
}

/** A field that is not known is refused: ignored, it would be an import without what it asks for. */
const formChoices = formToImport.omit({ file: true }).strict();

/** The options in the fields of a form. @throws CovermapError `request_invalid` */
function optionsOf(fields: Record<string, string>): ImportOptions {
  const given = checkBody(formChoices, fields) as z.output<typeof formChoices>;
  const { system, postcodes, columns, accept, dry_run } = given;
  return checkBody(ImportOptions, {
    ...(system && { system }),
    ...(postcodes === 'true' && { postcodes: true }),
    ...(columns && { columns: readJson(columns) }),
    ...(accept && { accept: accept.split(',').map((one) => one.trim()) }),
    ...(dry_run === 'true' && { dry_run: true }),
  }) as ImportOptions;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('"columns" has to be JSON, such as {"id": "GAVIC"}.');
  }
}

async function storeAndRecord(context: ApiContext, request: Request): Promise<AddressImport> {
  const { database, config } = context;
  // Options that come first are checked before the file is read.
  const check = async (fields: Record<string, string>) => void optionsOf(fields);
  return withForm(
    context,
    request,
    check,
    async ({ file, fields }) => {
      const options = optionsOf(fields);
      const id = await recordImport(database, { file, options, actor: actorOf(request) });
      context.sendJob('import-addresses', id);
      return requireImport(context, id);
    },
    config.addressFileBytes,
  );
}
