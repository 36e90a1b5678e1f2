import { expect, test } from 'vitest';
import { isWebAddress } from '../../coverage/providers/profile.ts';
import { type ManifestInput, parseManifest } from '../../coverage/submissions/manifest.ts';

/* Manifests that are accepted, and the problem of each that is not. */

const least: ManifestInput = { provider: 'Test Networks', technology: 'fibre' };

/** The message about a manifest that is valid except for these entries. */
function problemOf(entries: Record<string, unknown>): string {
  try {
    parseManifest({ ...least, ...entries });
  } catch (error) {
    expect(error).toMatchObject({ code: 'manifest_invalid', hint: expect.any(String) });
    return (error as Error).message;
  }
  return 'none';
}

test('a provider and a technology are enough', () => {
  expect(parseManifest(least)).toEqual({
    provider: { name: 'Test Networks' },
    technology: 'fibre',
    scope: '',
    availability: 'available',
    speeds: {},
    attributes: {},
    smoothing: false,
    publish: 'review',
    processed_by: 'operator',
  });
});

test('a whole manifest stays as it is', () => {
  const provider = {
    ...{ name: 'Test Networks', url: 'https://test.example/broadband', wholesale_network: 'Both' as const },
    ...{ description: 'Fibre and wireless.', area_served: ['Auckland', 'Waikato'] },
  };
  const speeds = {
    ...{ bandwidth_min_mbps: 50, bandwidth_max_mbps: 100 },
    ...{ bandwidth_up_min_mbps: 0, bandwidth_up_max_mbps: 20.5 },
  };
  const whole = {
    ...{ provider, speeds, technology: 'fixed_wireless_5g', scope: 'North Island, planned' },
    ...{ availability: 'planned' as const, planned_date: '2028-02-29', smoothing: true },
    attributes: { bandwidth_max_mbps: { field: 'DOWN_KBPS', unit: 'kbps' as const } },
    ...{ layers: ['north', 'south'], crs: 'EPSG:2193' },
    ...{ publish: 'auto' as const, processed_by: 'service' as const },
  };
  expect(parseManifest(whole)).toEqual(whole);
});

test('a scope is a name: blanks go, and what cannot be seen is refused, as is what is too long', () => {
  const scope = (text: unknown) => parseManifest({ ...least, scope: text }).scope;
  expect(scope('  North \n Island ')).toBe('North Island');
  expect(scope('Ma\u0304ori')).toBe('M\u0101ori');
  expect(scope('x'.repeat(60))).toHaveLength(60);
  for (const text of ['x'.repeat(61), 'a\u0000b', 'a\u202eb', 'x'.repeat(100_000), 7, null]) {
    expect(() => scope(text)).toThrow('scope');
  }
});

const modelled = (prediction: object) => ({ processed_by: 'service' as const, prediction });
const [min, max] = [{ field: 'MIN' }, { field: 'MAX' }];
const planned_date = '2027-03-31';
test.each<[what: string, said: Partial<ManifestInput>, read: object]>([
  ['blanks around go', { provider: ' A ', layers: [' b '] }, { provider: { name: 'A' }, layers: ['b'] }],
  [
    'a field may be named alone, or without a unit',
    { attributes: { bandwidth_min_mbps: 'MIN', bandwidth_max_mbps: max } },
    { attributes: { bandwidth_min_mbps: min, bandwidth_max_mbps: max } },
  ],
  ['an empty address says nothing', { provider: { name: 'A', url: '' } }, { provider: { name: 'A' } }],
  ['underway coverage may have a date', { availability: 'underway', planned_date }, { planned_date }],
  ['planned coverage may have a date', { availability: 'planned', planned_date }, { planned_date }],
  ['tower data may be modelled', modelled({}), {}],
])('%s', (_, said, read) => {
  expect(parseManifest({ ...least, ...said })).toEqual({ ...parseManifest(least), ...said, ...read });
});

test.each([
  ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
  ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
])('%s may be as much as %s and no more', (min, max) => {
  expect(problemOf({ speeds: { [min]: 10, [max]: 10 } })).toBe('none');
  expect(problemOf({ speeds: { [min]: 10.5, [max]: 10 } })).toContain(`speeds.${min}: is above ${max}`);
});

const at = (dbm: number, bandwidth_max_mbps: number) => ({
  ...{ dbm, bandwidth_min_mbps: 1, bandwidth_max_mbps, bandwidth_up_min_mbps: 1, bandwidth_up_max_mbps: 5 },
});
const slower = 'has slower speeds at -60 dBm than at -80, which is weaker';
const noDates = ['2027-02-29', '2027-13-01', '2027-3-1', '31-03-2027', '2027-03-31T00:00:00Z', 'soon', ''];

test.each<[string | RegExp, Record<string, unknown>]>([
  ...noDates.map((planned_date): [string, Record<string, unknown>] => [
    'planned_date: must be a date like',
    { availability: 'planned', planned_date },
  ]),
  ['planned_date: is for planned or underway coverage', { planned_date: '2027-03-31' }],
  ['provider', { provider: undefined }],
  ['provider', { provider: 'bell\u0007' }],
  ['provider', { provider: 'x'.repeat(201) }],
  ['provider.url', { provider: { name: 'A', url: 'ftp://test.example' } }],
  ['provider.url', { provider: { name: 'A', url: 'javascript:alert(1)' } }],
  ['provider.description', { provider: { name: 'A', description: 'x'.repeat(2001) } }],
  ['provider.description', { provider: { name: 'A', description: 'bell\u0007' } }],
  ['provider.area_served.1', { provider: { name: 'A', area_served: ['B', ''] } }],
  ['provider: Unrecognized key: "phone"', { provider: { name: 'A', phone: '1' } }],
  ['technology', { technology: undefined }],
  ['technology', { technology: 'Fibre' }],
  ['technology', { technology: 'fibre optic' }],
  ['availability', { availability: 'soon' }],
  ['speeds.bandwidth_max_mbps', { speeds: { bandwidth_max_mbps: 1_000_001 } }],
  ['speeds.bandwidth_up_max_mbps', { speeds: { bandwidth_up_max_mbps: '100' } }],
  ['speeds.bandwidth_up_min_mbps', { speeds: { bandwidth_up_min_mbps: Number.NaN } }],
  ['speeds: Unrecognized key: "max"', { speeds: { max: 1 } }],
  ['attributes.bandwidth_max_mbps', { attributes: { bandwidth_max_mbps: '' } }],
  ['attributes: Unrecognized key: "max"', { attributes: { max: 'A' } }],
  ['layers', { layers: [] }],
  ['layers.1', { layers: ['north', ' '] }],
  ['crs', { crs: '' }],
  ['publish', { publish: 'now' }],
  // Every problem is named.
  ['technology: ', { technology: 'Fibre', layers: [] }],
  ['layers: ', { technology: 'Fibre', layers: [] }],
  ['Unrecognized key: "speed"', { speed: 100 }],
  // Of several forms, the one that was meant is the one whose fault is named, once.
  [/wholesale_network: .*"Yes"\|"No"\|"Both"/, { provider: { name: 'A', wholesale_network: 'Maybe' } }],
  [/mbps\.unit: .*"kbps"/, { attributes: { bandwidth_max_mbps: { field: 'A', unit: 'bps' } } }],
  ['provider: Too small', { provider: ' ' }],
  ['provider: must not hold control characters', { provider: 'A\u0001' }],
  [/^[^;]*speeds\.bandwidth_max_mbps[^;]*$/, { speeds: { bandwidth_max_mbps: -1 } }],
  ['prediction: is for tower data', { prediction: {} }],
  ['prediction.profile', modelled({ profile: 'magic' })],
  ['prediction.range_km', modelled({ range_km: 1500 })],
  ['more than 2000 steps', modelled({ range_km: 60, resolution_m: 20 })],
  ['prediction.time_percent', modelled({ time_percent: 100 })],
  ['bandwidth_min_mbps', modelled({ speeds: [{ dbm: -80, bandwidth_max_mbps: 50 }] })],
  ['has a power twice', modelled({ speeds: [at(-80, 50), at(-80, 50)] })],
  [slower, modelled({ speeds: [at(-80, 50), at(-60, 20), at(-90, 50)] })],
  ['height', modelled({ height: 5 })],
])('the error says %s where the manifest has %j', (problem, entries) => {
  expect(problemOf(entries)).toMatch(problem);
});

test.each([null, undefined, 'fibre', 7, [[]]])('%j is no manifest', (input) => {
  expect(() => parseManifest(input)).toThrow(
    expect.objectContaining({ code: 'manifest_invalid', message: expect.stringContaining('manifest: ') }),
  );
});

test.each(['\u0000', 'a\u0085b', '\ud800'])('a web address with %j is none', (text) => {
  expect(isWebAddress(`https://example.nz/${text}`)).toBe(false);
});

test.each<[string, unknown]>([
  ['beside one another', Array(20_001).fill('a')],
  ['within one another', Array.from({ length: 20_001 }).reduce((inner) => [inner], 'a')],
])('more values than any manifest needs are refused, %s', (_, layers) => {
  expect(problemOf({ layers })).toContain('more than 20000 values');
});
