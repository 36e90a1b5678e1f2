import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTypes, schemaFile } from '../../client/make-types.ts';

test('the types of the client are those of the API: else run npm run client:types', async () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(await makeTypes());
});
