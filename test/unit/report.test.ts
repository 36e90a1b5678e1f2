import { expect, test } from 'vitest';
import { IngestError } from '../../ingest/errors.ts';
import { reportLines } from '../../ingest/report/report.ts';

const repeated = { layer: 'north', name: 'A\nB', lat: -37.5, lng: 175 };
const duplicates = [1, 2, 3, 4].map((feature) => ({ ...repeated, feature }));
const kept = { unchanged_km2: 3, still_covered_km2: 0, downgraded_km2: 0 };
const premises = {
  ...{ before: 24_305, covered: 23_103, gained: 2, lost: 1_204, postponed: 0, faster: 40, slower: 312 },
  ...{ planned_before: 0, planned_lost: 0, moves: [] },
  others: { served: 1_000, unserved: 204, as_of: '2026-11-29T00:00:00Z' },
};
const fifth = { layer: 'north', feature: 5 };
const report: Parameters<typeof reportLines>[0] = {
  layers: [
    {
      ...{ name: 'north\u001b[31m', format: 'KML' },
      ...{ reference_system: 'WGS 84', reference_system_from: 'format' as const },
      mapping: [{ to: 'bandwidth_max_mbps', attribute: 'dl', unit: 'mbps', from: 'recognised' }],
      ...{ attributes: ['dl', 'note'], unused: ['note'], features: 14 },
    },
  ],
  features: { read: 14, loaded: 2, repaired: 0, clipped: 1, dropped: { duplicate: 12 } },
  problems: [
    { kind: 'dropped', reason: 'duplicate', count: 12, examples: duplicates },
    { kind: 'dropped', reason: 'technology_unknown', count: 1, examples: [{ ...fifth, value: 'smoke' }] },
    { kind: 'clipped', reason: 'outside_service_area', count: 1, examples: [{ layer: 'north', feature: 9 }] },
  ],
  vertices: 1,
  rows: 2,
  area_km2: 1234.5,
  bbox: [174, -38, 175, -37],
  tiers: [],
  change: [
    { technology: 'fibre', gained_km2: 1.5, lost_km2: 0, ...kept, premises },
    { technology: 'cable', gained_km2: 1, lost_km2: 0, ...kept },
  ],
  warnings: [{ code: 'x', message: 'Mind this.' }],
  seconds: 1,
};

test('the report as text says what a person needs, and nothing that a terminal would obey', () => {
  expect(reportLines(report)).toEqual([
    'Layer north\ufffd[31m: KML, WGS 84 (as always in this format)',
    '  bandwidth_max_mbps from dl in mbps, known by its name',
    '  not used: note',
    'Read 14 features, 1 vertex',
    'Loaded 2 features as 2 rows in 1.0 s',
    '  dropped: 12 repeating an earlier one',
    '    north 1 "A\ufffdB" at -37.5, 175',
    '    north 2 "A\ufffdB" at -37.5, 175',
    '    north 3 "A\ufffdB" at -37.5, 175',
    '    north 4 "A\ufffdB" at -37.5, 175',
    '    ...',
    '  dropped: 1 with a technology that is not known',
    '    north 5: "smoke"',
    '  clipped: 1 extending beyond the service area',
    '    north 9',
    'Area 1,234.5 km2',
    'From -38.0000, 174.0000 to -37.0000, 175.0000 (latitude, longitude)',
    'Against the published fibre: 1.5 km2 gained, 0 km2 lost',
    '  2 premises gained, 1,204 lost, of which others serve 1,000, 40 faster, 312 slower',
    'Against the published cable: 1 km2 gained, 0 km2 lost',
    'Warning: Mind this.',
  ]);
});

test('errors about a file show its names without control characters', () => {
  const { message, hint } = new IngestError('code', 'No layer \u0007\u009b.', 'It has \u0000.');
  expect([message, hint]).toEqual(['No layer \ufffd\ufffd.', 'It has \ufffd.']);
});
