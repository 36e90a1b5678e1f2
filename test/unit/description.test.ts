import fc from 'fast-check';
import { expect, describe as group, test } from 'vitest';
import { parseManifest } from '../../core/coverage/manifest.ts';
import {
  type Description,
  describe,
  problemsOf,
  questionsOf,
  textMeanings,
  toManifest,
} from '../../web/operator/description.ts';
import type { Inspection, Manifest } from '../../web/shared/types.ts';

/* The form of the operators' page: from what a file says to the manifest that is handed in. */

const technologies = ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'];
const catalog = { today: '2026-11-22', provider: { id: 1, name: 'Demo Networks' } };

function inspection(changes: Partial<Inspection> = {}): Inspection {
  return {
    kind: 'coverage',
    layers: [
      {
        name: 'north',
        format: 'Shapefile',
        reference_system: 'NZTM2000',
        attributes: ['TECH', 'DOWN', 'CLASS'],
        examples: { TECH: ['F', 'W'], DOWN: ['100', '950'], CLASS: ['strong', 'weak'] },
        mapping: [],
      },
    ],
    manifest: {},
    speeds_missing: ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'],
    warnings: [],
    towers: null,
    ...changes,
  };
}

/** What the API makes of the form: the provider is the token's own. */
const accepted = (manifest: Manifest) => parseManifest({ provider: 'Demo Networks', ...manifest });

group('a form that nobody has touched', () => {
  test('says what the file says', () => {
    const found = inspection({
      manifest: { technology: 'fibre', attributes: { bandwidth_max_mbps: { field: 'DOWN', unit: 'mbps' } } },
    });
    const description = describe(found, technologies);
    expect(description.technology).toBe('fibre');
    expect(description.speeds.bandwidth_max_mbps).toEqual({ from: 'attribute', field: 'DOWN', unit: 'mbps' });
    expect(toManifest(description, found)).toEqual({
      technology: 'fibre',
      availability: 'available',
      attributes: { bandwidth_max_mbps: { field: 'DOWN', unit: 'mbps' } },
      publish: 'review',
    });
  });

  test('asks for what the file does not say', () => {
    const description = describe(inspection(), technologies);
    expect(problemsOf(description, catalog, questionsOf(inspection()))).toEqual({
      technology: expect.any(String),
      bandwidth_max_mbps: expect.any(String),
      bandwidth_up_max_mbps: expect.any(String),
    });
  });

  test('asks for no upload where the texts of the download say it', () => {
    const found = inspection({
      manifest: { technology: 'fibre', attributes: { bandwidth_max_mbps: 'DOWN' } },
    });
    const problems = (missing: Inspection['speeds_missing']) => {
      const looked = { ...found, speeds_missing: missing };
      return problemsOf(describe(looked, technologies), catalog, questionsOf(looked));
    };
    expect(problems([])).toEqual({});
    expect(Object.keys(problems(['bandwidth_up_max_mbps']))).toEqual(['bandwidth_up_max_mbps']);
  });

  test('asks staff whose coverage it is', () => {
    const problems = problemsOf(
      describe(null, technologies),
      { ...catalog, provider: null },
      questionsOf(null),
    );
    expect(problems.provider).toBeDefined();
  });

  test('leaves what it does not ask as the file says it', () => {
    const found = inspection({ manifest: { technology: 'wireless', smoothing: true } });
    expect(toManifest(describe(found, technologies), found)).toMatchObject({ smoothing: true });
  });
});

group('what somebody says', () => {
  const said = (changes: Partial<Description>, found = inspection()) =>
    toManifest({ ...describe(found, technologies), technology: 'fibre', ...changes }, found);
  const speeds = describe(null, technologies).speeds;

  test('a speed of everywhere counts before a field of a well-known name', () => {
    const found = inspection({ manifest: { attributes: { bandwidth_max_mbps: 'DOWN' } } });
    const manifest = said({ speeds: { ...speeds, bandwidth_max_mbps: { from: 'number', mbps: 50 } } }, found);
    expect(manifest.speeds).toEqual({ bandwidth_max_mbps: 50 });
    expect(manifest.attributes).toEqual({ bandwidth_max_mbps: null });
  });

  test('a date counts for what is not there yet, and for nothing else', () => {
    expect(said({ availability: 'planned', plannedDate: '2027-03-31' }).planned_date).toBe('2027-03-31');
    expect(said({ availability: 'available', plannedDate: '2027-03-31' })).not.toHaveProperty('planned_date');
  });

  test('a date in the past is asked about', () => {
    const past = { availability: 'planned', plannedDate: '2026-11-21' } as const;
    const problems = (changes: Partial<Description>) =>
      problemsOf({ ...describe(null, technologies), ...changes }, catalog, questionsOf(null)).plannedDate;
    expect(problems(past)).toBeDefined();
    expect(problems({ ...past, plannedDate: catalog.today })).toBeUndefined();
    expect(problems({ ...past, availability: 'available' })).toBeUndefined();
  });

  test('a slowest speed above the fastest is asked about', () => {
    const description = describe(null, technologies);
    description.speeds.bandwidth_min_mbps = { from: 'number', mbps: 100 };
    description.speeds.bandwidth_max_mbps = { from: 'number', mbps: 50 };
    expect(problemsOf(description, catalog, questionsOf(null)).bandwidth_min_mbps).toBeDefined();
  });

  test('words that stand for speeds', () => {
    const texts = textMeanings(['strong', 'weak', 'none'], []);
    const [strong, weak, none] = texts as [(typeof texts)[0], (typeof texts)[0], (typeof texts)[0]];
    const manifest = said({
      speedsBy: 'text',
      textField: 'CLASS',
      texts: [
        { ...strong, download: 100, upload: 30 },
        { ...weak, download: 25 },
        { ...none, coverage: false },
      ],
    });
    expect(accepted(manifest).tiers).toMatchObject({
      field: 'CLASS',
      values: {
        strong: { coverage: true, speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 30 } },
        weak: { coverage: true, speeds: { bandwidth_max_mbps: 25 } },
        none: { coverage: false },
      },
    });
  });

  test('a field that is chosen anew keeps what was said of the words they share', () => {
    const before = textMeanings(['strong', 'weak'], []).map((one) => ({ ...one, download: 10 }));
    expect(textMeanings(['weak', 'none'], before).map(({ download }) => download)).toEqual([10, undefined]);
  });

  test('colours of a picture', () => {
    const found = inspection({ manifest: { classes: [{ colour: '#00a000' }, { min: -90, max: -70 }] } });
    const description = describe(found, technologies);
    expect(description.speedsBy).toBe('pixels');
    const pixels = description.pixels.map((one) => ({ ...one, download: 50, upload: 10 }));
    const manifest = said({ speedsBy: 'pixels', pixels }, found);
    expect(manifest.classes).toEqual([
      { colour: '#00a000', speeds: { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 } },
      { min: -90, max: -70, speeds: { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 } },
    ]);
    expect(problemsOf(description, catalog, questionsOf(found)).meanings).toBeDefined();
  });

  test('what experts add counts before the form, and answers its questions', () => {
    const more =
      '{ "classes": [{ "min": -90, "speeds": { "bandwidth_max_mbps": 50 } }], "technology": "wireless" }';
    expect(said({ more }).technology).toBe('wireless');
    expect(accepted(said({ more })).classes).toHaveLength(1);
    const problems = (text: string) =>
      problemsOf({ ...describe(null, technologies), more: text }, catalog, questionsOf(null));
    expect(problems(more)).toEqual({});
    for (const text of ['{', '[]', '3', 'null']) expect(problems(text).more, text).toBeDefined();
  });

  test('tower data goes to the service', () => {
    const found = inspection({ kind: 'towers', layers: [], towers: { count: 3, problems: [] } });
    expect(toManifest(describe(found, technologies), found).processed_by).toBe('service');
  });
});

test('whatever the form lets through, the API accepts', () => {
  const speed = fc.option(fc.double({ min: -10, max: 2_000_000, noNaN: true }), { nil: undefined });
  const source = fc.oneof(
    fc.record({ from: fc.constant('number' as const), mbps: speed }),
    fc.record({
      from: fc.constant('attribute' as const),
      field: fc.constantFrom('TECH', 'DOWN'),
      unit: fc.constantFrom(undefined, 'kbps' as const, 'mbps' as const),
    }),
  );
  const meaning = fc.record({
    coverage: fc.boolean(),
    download: fc.constantFrom(undefined, 0, 50),
    upload: fc.constantFrom(undefined, 5),
  });
  fc.assert(
    fc.property(
      fc.record({
        technology: fc.constantFrom('', ...technologies),
        availability: fc.constantFrom('available' as const, 'underway' as const, 'planned' as const),
        plannedDate: fc.constantFrom('', '2026-11-21', '2027-03-31'),
        speedsBy: fc.constantFrom('field' as const, 'text' as const, 'pixels' as const),
        speeds: fc.record({
          bandwidth_min_mbps: source,
          bandwidth_max_mbps: source,
          bandwidth_up_min_mbps: source,
          bandwidth_up_max_mbps: source,
        }),
        textField: fc.constant('CLASS'),
        texts: fc.array(
          fc.tuple(fc.constantFrom('a', 'b', ''), meaning).map(([key, of]) => ({ key, ...of })),
        ),
        pixels: fc.array(
          fc
            .tuple(fc.constantFrom({ colour: '#00a000' }, { value: 3 }, { min: -90 }), meaning)
            .map(([key, of]) => ({ key, ...of })),
          { minLength: 1 },
        ),
        crs: fc.constantFrom('', 'EPSG:2193'),
        publish: fc.constantFrom('auto' as const, 'review' as const),
      }),
      (changes) => {
        const found = inspection();
        const description = { ...describe(found, technologies), ...changes };
        fc.pre(Object.keys(problemsOf(description, catalog, questionsOf(found))).length === 0);
        accepted(toManifest(description, found));
      },
    ),
    { numRuns: 500 },
  );
});
