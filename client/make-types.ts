import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { describeApi } from '../api/openapi/document.ts';
import { readConfig } from '../platform/config.ts';

// npm run client:types: writes schema.ts from the description of the API. The file is not kept: types of the client and of the pages are
// asked for only where they are checked, or where the client is published.

/** The types of the described API. */
export async function makeTypes(): Promise<string> {
  // JSON, as every other reader gets it.
  const document = JSON.parse(JSON.stringify(describeApi(readConfig({}))));
  // Fields with a default are optional in requests, and schemas can be imported by their names.
  const types = astToString(
    await openapiTS(document, { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true }),
  );
  return `/* Made by \`npm run client:types\` from the description of the API. */\n\n${types}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('schema.ts', import.meta.url), await makeTypes());
