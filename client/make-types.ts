import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { describeApi } from '../api/openapi/document.ts';
import { readConfig } from '../platform/config.ts';

// npm run client:types: writes schema.ts from the description of the API.

export const schemaFile = new URL('schema.ts', import.meta.url);

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

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(schemaFile, await makeTypes());
