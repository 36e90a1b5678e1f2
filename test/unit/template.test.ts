import { describe, expect, test } from 'vitest';
import { isOf, keptSamples } from '../../commands/loaded-samples.ts';
import { readSamples } from '../../commands/samples.ts';
import { readConfig } from '../../core/config.ts';
import { shippedTemplate } from '../../core/database/embedded/template.ts';

test('the template of first starts fits PGlite, PostGIS and the migrations: else run npm run template', async () => {
  expect(await shippedTemplate()).toMatch(/template\.tar\.br$/);
});

describe('what loading makes of the samples', async () => {
  test.each(await readSamples())('is kept for $file as it is: else run npm run template', async (sample) => {
    expect((await keptSamples(readConfig({}))).filter(isOf(sample))).toHaveLength(1);
  });
  test('is not taken with another service area, whose edge would cut it', async () => {
    expect(await keptSamples(readConfig({ SERVICE_AREA: '-47,167,-34,178' }))).toEqual([]);
  });
  test('holds no time, no place on a machine and no secret', async () => {
    const said = JSON.stringify(await keptSamples(readConfig({})));
    expect(said).not.toMatch(/\d{4}-\d\d-\d\dT|\/(tmp|home|root|work)\/|token|password|secret/i);
  });
});
