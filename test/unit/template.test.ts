import { expect, test } from 'vitest';
import { shippedTemplate } from '../../platform/database/embedded/template.ts';

test('the template of first starts fits PGlite, PostGIS and the migrations: else run npm run template', async () => {
  expect(await shippedTemplate()).toMatch(/template\.tar\.br$/);
});
