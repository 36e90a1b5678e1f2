import { ValueClassifier } from '@covermap/coverage-files/raster/classes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachSpeed } from '../../coverage/speeds.ts';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import { begin } from '../../web/operator/context.ts';
import {
  type Answers,
  describe,
  meaningsOf,
  problemsOf,
  questionsOf,
  tiersBy,
  toManifest,
} from '../../web/operator/description.ts';
import { makeFormState } from '../../web/operator/form-state.ts';
import { heldBackWords } from '../../web/operator/held-back.ts';
import {
  canMerge,
  coveredShare,
  mergeDown,
  type PixelRow,
  sharesOf,
  splitRange,
  suggestSpeeds,
  tableOf,
  tableOfClasses,
  tableProblems,
  toClasses,
} from '../../web/operator/pixel-table.ts';
import { replacesWords } from '../../web/operator/replaces.ts';
import { inOrder } from '../../web/operator/tier-order.ts';
import type { Catalog, Inspection, Manifest, PixelClass, PixelSummary } from '../../web/shared/schemas.ts';

/* The form of the operators' page: from what a file says to the manifest that is submitted. */

const technologies = ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'];
const catalog = { today: '2026-11-22', provider: { id: 1, name: 'Demo Networks' } };

function inspection(changes: Partial<Inspection> = {}): Inspection {
  const examples = { TECH: ['F', 'W'], DOWN: ['100', '950'], CLASS: ['strong', 'weak'] };
  const north = { name: 'north', format: 'Shapefile', reference_system: 'NZTM2000', mapping: [], examples };
  return {
    ...{ kind: 'coverage', layers: [{ ...north, attributes: ['TECH', 'DOWN', 'CLASS'] }], manifest: {} },
    ...{ speeds_missing: ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'], warnings: [], towers: null },
    ...changes,
  };
}

const colours: PixelSummary = {
  ...{ kind: 'colours', counted: 400, total: 400, empty: 0.25, others: 0.05 },
  colours: [
    { colour: '#00a000', tolerance: 8, share: 0.5 },
    { colour: '#0000a0', tolerance: 8, share: 0.2 },
  ],
};
/** One pixel in a hundred each of -109 to -10 dBm. */
const signal: PixelSummary = {
  ...{ kind: 'values', counted: 100, total: 100, empty: 0, min: -109, max: -10, unit: 'dBm', values: null },
  ...{ histogram: { from: -109, step: 1, shares: Array<number>(100).fill(0.01) }, doubtful: [] },
};

function raster(pixels: PixelSummary): Inspection['layers'][number] {
  const nothing = { attributes: [], examples: {}, mapping: [] };
  return { name: 'signal', format: 'GeoTIFF', reference_system: 'NZTM2000', ...nothing, pixels };
}

/** The manifest as the API reads it: the provider is that of the token. */
const accepted = (manifest: Manifest) => parseManifest({ provider: 'Demo Networks', ...manifest });
const described = (found: Inspection | null, answers: Answers = {}, before: Manifest = {}) =>
  describe(questionsOf(found, before), answers, technologies);
/** The manifest that is submitted with a file. @param before answers of an earlier visit */
const submitted = (found: Inspection | null, answers: Answers = {}, before: Manifest = {}) =>
  toManifest(described(found, answers, before), questionsOf(found, before));
const problemsIn = (found: Inspection | null, answers: Answers = {}, provider = catalog.provider) =>
  problemsOf(described(found, answers), { ...catalog, provider }, questionsOf(found));
const fibre = inspection({ manifest: { technology: 'fibre', attributes: { bandwidth_max_mbps: 'DOWN' } } });

test('a form that nobody has touched says what the file says', () => {
  const attributes = { bandwidth_max_mbps: { field: 'DOWN', unit: 'kbps' } } as const;
  const manifest = { technology: 'fibre', attributes };
  const defaults = { availability: 'available', publish: 'review' };
  expect(submitted(inspection({ manifest }))).toEqual({ ...manifest, ...defaults });
});

test('fields and texts may be called as properties of objects are', () => {
  const names = ['constructor', '__proto__', 'toString'];
  const each = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  const none = { technology: null, availability: null };
  const layer = { name: 'a', format: 'GeoJSON', reference_system: 'WGS 84', mapping: [] };
  const layers = [{ ...layer, attributes: names, examples: each(names), texts: each(each(none)) }];
  const questions = questionsOf(inspection({ layers }));
  for (const field of names) {
    expect(questions.examples[field]).toEqual(names);
    const rows = meaningsOf(
      describe(questions, { attributes: { availability: { field } } }, technologies),
      questions,
      'availability',
    );
    expect(rows).toEqual(names.map((text) => ({ text, meaning: undefined })));
  }
  expect(Object.prototype).not.toHaveProperty('toString.technology');
});

test('a form that nobody has touched asks for what the file does not say', () => {
  const asked = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps', 'technology'];
  expect(Object.keys(problemsIn(inspection())).sort()).toEqual(asked);
});

test('a form that nobody has touched asks for no upload where the texts of the download say it', () => {
  const problems = (both_directions: string[]) =>
    Object.keys(
      problemsIn({ ...fibre, layers: fibre.layers.map((layer) => ({ ...layer, both_directions })) }),
    );
  expect(problems(['DOWN'])).toEqual([]);
  expect(problems(['CLASS'])).toEqual(['bandwidth_up_max_mbps']);
});

test('a form that nobody has touched asks staff whose coverage it is', () => {
  expect(problemsIn(null, {}, null as never).provider).toBeDefined();
});

test('what the form does not ask is submitted as it was described before', () => {
  const given: Manifest = {
    provider: { name: 'Demo Networks', url: 'https://demo.example/', area_served: ['Otago'] },
    technology: 'wireless',
    ...{ availability: 'planned', planned_date: '2027-03-31', publish: 'review', smoothing: true },
    speeds: { bandwidth_max_mbps: 50, bandwidth_min_mbps: 1 },
    attributes: {
      technology: 'TECH',
      availability: 'STATUS',
      planned_date: 'ON',
      bandwidth_max_mbps: 'DOWN',
    },
    classes: [{ min: -75, max: -60, technology: 'fibre', speeds: { bandwidth_max_mbps: 100 } }],
  };
  const { classes: _, ...others } = given;
  expect(submitted(inspection(), {}, others)).toEqual(others);
  const { classes } = submitted(inspection(), {}, given);
  expect(classes?.map(({ technology }) => technology)).toContain('fibre');
  // An earlier speed for the whole file does not become the speed of categories that have none.
  const tiers = { field: 'CLASS', values: { weak: { speeds: { bandwidth_max_mbps: 25 } } } };
  const bySpeeds = { technology: 'wireless', speeds: { bandwidth_up_max_mbps: 10 } };
  expect(submitted(inspection(), { speedsBy: 'tiers', tiers }, bySpeeds)).not.toHaveProperty('speeds');
  expect(submitted(inspection(), {}, { ...bySpeeds, tiers })).toMatchObject(bySpeeds);
  // Each answer overrides the earlier ones.
  expect(submitted(inspection(), { speeds: { bandwidth_max_mbps: 20 } }, others)).toMatchObject({
    speeds: { bandwidth_max_mbps: 20, bandwidth_min_mbps: 1 },
    attributes: { technology: 'TECH', bandwidth_max_mbps: null },
  });
});

test('the form keeps each answer when the file has been inspected, and after a reload', () => {
  const known = { ...catalog, technologies: technologies.map((name) => ({ name, label: name })) };
  begin({ role: 'operator' } as never, known as unknown as Catalog);
  const attributes = { technology: 'TECH', availability: 'CLASS', bandwidth_max_mbps: 'DOWN' };
  const found = inspection({ manifest: { technology: 'wireless', attributes } });
  const form = makeFormState();
  form.choice('technology').value = 'cable';
  form.part('speeds', 'bandwidth_up_max_mbps').value = 30;
  expect(form.manifest()).toMatchObject({ technology: 'cable', speeds: { bandwidth_up_max_mbps: 30 } });
  form.inspected(found);
  expect(form.choice('technology').value).toBe('cable');
  expect(form.choice('availability').value).toBe('from-file');
  const { technology: _, ...others } = attributes;
  const manifest = form.manifest() as Manifest;
  expect(manifest).toMatchObject({ technology: 'cable', speeds: { bandwidth_up_max_mbps: 30 } });
  expect(manifest.attributes).toEqual(others);
  form.choice('technology').value = 'from-file';
  expect(form.manifest()?.attributes).toEqual(attributes);

  const again = makeFormState();
  again.inspected(found);
  again.before.value = { ...manifest, scope: 'North' };
  expect(again.field('scope').value.value).toBe('North');
  again.field('scope').value.value = '';
  expect(again.manifest()).not.toHaveProperty('scope');
  again.part('speeds', 'bandwidth_up_max_mbps').value = undefined;
  expect(again.manifest()).toBeUndefined();
  const text = 'Enter the maximum upload speed.';
  expect(again.missing.value).toEqual([{ id: 'bandwidth_up_max_mbps', text }]);
});

test('problems of a table of speeds disappear with the table: rows of another one have the same ids', () => {
  const form = makeFormState();
  const values = { Green: {}, Red: {} };
  form.inspected(inspection({ manifest: { technology: 'fibre' } }));
  form.change({ speedsBy: 'tiers', tiers: { field: 'ZONE', values } });
  expect(form.manifest()).toBeUndefined();
  const rows = () => Object.keys(form.problems.value).filter((id) => id.startsWith('class-'));
  const asked = rows();
  expect(asked).not.toEqual([]);
  form.change({ tiers: { field: 'ZONE', values: { ...values, Green: { coverage: false } } } });
  expect(rows()).toEqual(asked);
  form.change({ tiers: { field: 'CLASS', values } });
  expect(rows()).toEqual([]);
});

const said = (answers: Answers, found = inspection()) =>
  submitted(found, { technology: 'fibre', ...answers });

test('a speed of everywhere counts before a field of a well-known name', () => {
  const found = inspection({ manifest: { attributes: { bandwidth_max_mbps: 'DOWN' } } });
  const manifest = said({ speeds: { bandwidth_max_mbps: 50 } }, found);
  expect(manifest.speeds).toEqual({ bandwidth_max_mbps: 50 });
  expect(manifest.attributes).toEqual({ bandwidth_max_mbps: null });
  // Also after a reload.
  expect(submitted(found, {}, manifest)).toMatchObject(manifest);
});

test('a date counts for what is not there yet, and for nothing else; one in the past is asked about', () => {
  const planned_date = '2027-03-31';
  expect(said({ availability: 'planned', planned_date }).planned_date).toBe(planned_date);
  expect(said({ availability: 'available', planned_date })).not.toHaveProperty('planned_date');
  const past = { availability: 'planned', planned_date: '2026-11-21' } as const;
  const problems = (changes: Answers) => problemsIn(null, changes).planned_date;
  expect(problems(past)).toBeDefined();
  expect(problems({ ...past, planned_date: catalog.today })).toBeUndefined();
  expect(problems({ ...past, availability: 'available' })).toBeUndefined();
});

test('a slowest speed above the fastest is asked about', () => {
  const speeds = { bandwidth_min_mbps: 100, bandwidth_max_mbps: 50 };
  expect(problemsIn(null, { speeds }).bandwidth_min_mbps).toBeDefined();
});

test('a field that is chosen again keeps the speeds of the values they share', () => {
  const speeds = { bandwidth_max_mbps: 10 };
  const before = { field: 'CLASS', values: { strong: { speeds }, weak: { speeds } } };
  const tiers = { field: 'TECH', values: { weak: { speeds }, none: {} } };
  expect(tiersBy('TECH', ['weak', 'none'], before)).toEqual(tiers);
});

test('each category of coverage needs a download speed, and none needs an upload speed', () => {
  const values = { strong: {}, weak: { speeds: { bandwidth_max_mbps: 25 } }, none: { coverage: false } };
  const tiers = { field: 'CLASS', values };
  expect(problemsIn(inspection(), { technology: 'fibre', speedsBy: 'tiers', tiers })).toEqual({
    'class-0-bandwidth_max_mbps': 'Enter a speed',
  });
});

test('words that the file explains itself keep all that it says of them', () => {
  const later = { availability: 'planned', planned_date: '2027-03-31' } as const;
  const weak = { speeds: { bandwidth_min_mbps: 5, bandwidth_max_mbps: 25 }, technology: 'adsl', ...later };
  const tiers = { field: 'CLASS', values: { weak, none: { coverage: false } } };
  const manifest = submitted(inspection({ manifest: { technology: 'fibre', smoothing: true, tiers } }));
  expect(manifest).toMatchObject({ tiers, smoothing: true });
  expect(accepted(manifest).tiers).toMatchObject(tiers);
});

test('colours of a picture become classes', () => {
  const found = inspection({ layers: [raster(colours)] });
  const description = described(found, { technology: 'fibre' });
  expect(description.speedsBy).toBe('classes');
  expect(Object.keys(problemsOf(description, catalog, questionsOf(found)))).toHaveLength(4);
  const [green, blue] = description.table as [PixelRow, PixelRow];
  const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
  const table: PixelRow[] = [
    { ...green, speeds },
    { ...blue, coverage: false },
  ];
  expect(said({ table }, found).classes).toEqual([
    { colour: '#00a000', tolerance: 8, speeds },
    { colour: '#0000a0', tolerance: 8, coverage: false },
  ]);
  expect(sharesOf(table, [colours])).toEqual({ rows: [0.5, 0.2], empty: 0.25, others: 0.05 });
});

test('what experts add counts before the form, and answers its questions', () => {
  const more =
    '{ "classes": [{ "min": -90, "speeds": { "bandwidth_max_mbps": 50 } }], "technology": "wireless" }';
  expect(said({ more }).technology).toBe('wireless');
  expect(accepted(said({ more })).classes).toHaveLength(1);
  const problems = (text: string) => problemsIn(null, { more: text });
  expect(problems(more)).toEqual({});
  for (const text of ['{', '[]', '3', 'null']) expect(problems(text).more, text).toBeDefined();
});

test('tower data goes to the service, and says how it is to be modelled where the form or its own manifest does', () => {
  const towers = inspection({ kind: 'towers', layers: [], towers: { count: 3, problems: [] } });
  expect(submitted(towers).processed_by).toBe('service');
  expect(submitted(towers)).not.toHaveProperty('prediction');
  const prediction = { profile: 'point-to-multipoint', range_km: 10 } as const;
  const found = { ...towers, manifest: { prediction } };
  expect(submitted(found).prediction).toEqual(prediction);
  const changed = { ...prediction, range_km: 12 };
  expect(submitted(found, { prediction: changed }).prediction).toEqual(changed);
  expect(submitted({ ...found, kind: 'coverage' })).not.toHaveProperty('prediction');
});

const classes: PixelClass[] = [{ min: -75 }, { min: -85, max: -75 }, { max: -85, coverage: false }];
const table = tableOf([signal], classes);
const limitsOf = (rows: readonly PixelRow[]) => rows.map(({ limit }) => limit);
const withLimits = (...limits: number[]) =>
  table.map((row, i) => ({ ...row, limit: limits[i] ?? -Infinity }));

test('a table of ranges takes in each pixel once', () => {
  expect(table).toMatchObject([{ limit: -75 }, { limit: -85 }, { limit: -Infinity, coverage: false }]);
  const { rows } = sharesOf(table, [signal]);
  expect(rows.map((share) => Math.round(share * 100))).toEqual([66, 10, 24]);
  expect(coveredShare(table, sharesOf(table, [signal]))).toBeCloseTo(0.76, 9);
  expect(sharesOf(withLimits(-74.5, -85), [signal]).rows[0]).toBeCloseTo(0.655, 9);
});

test('a table of ranges stays without gaps where ranges are split and joined', () => {
  const split = splitRange(table, 1, [signal]);
  expect(limitsOf(split)).toEqual([-75, -80, -85, -Infinity]);
  expect(limitsOf(splitRange(table, 2, [signal]))).toEqual([-75, -85, -100, -Infinity]);
  expect(mergeDown(split, 1)).toEqual(table);
  expect([0, 2].map((row) => canMerge(table, row))).toEqual([true, false]);
  expect(canMerge(mergeDown(table, 0), 0)).toBe(false);
  expect(tableProblems(withLimits(-85, -75), catalog.today)).toHaveProperty('class-1-limit');
});

test('a table of ranges suggests for the strongest class what somebody entered, to the digit, and less for weaker ones', () => {
  expect(toClasses(table)[0]).toEqual({ min: -75 });
  const suggested = suggestSpeeds(table, { download: 100, upload: 25 });
  expect(suggested.map(({ speeds }) => speeds?.bandwidth_max_mbps)).toEqual([100, 50, undefined]);
  const three = table.map((row) => ({ ...row, coverage: true }));
  const rows = suggestSpeeds(three, { download: 866.7, upload: 0.3 });
  expect(rows.map(({ speeds }) => speeds?.bandwidth_max_mbps)).toEqual([866.7, 570, 280]);
  expect(rows.map(({ speeds }) => speeds?.bandwidth_up_max_mbps)).toEqual([0.3, 0.2, 0.1]);
});

test('classes that are used again keep the meaning of every value: shared and own limits, gaps, single values', () => {
  /** The speed of each value, 0 for no coverage, as the workers find it. */
  const speedsOf = (classes: readonly PixelClass[], values: Float64Array) => {
    const bounds = classes.map(({ value, min = value ?? -Infinity, max = value ?? Infinity, coverage }) => ({
      ...{ min, max, uncovered: coverage === false },
    }));
    const labels = new Int16Array(values.length);
    const classifier = new ValueClassifier('signal', bounds, false);
    classifier.classify(values, undefined, labels, values.length, undefined, 1, 0);
    return Array.from(labels, (label) => classes[label]?.speeds?.bandwidth_max_mbps ?? 0);
  };
  const values = Float64Array.from({ length: 61 }, (_, i) => i / 2 - 5);
  const limit = fc.integer({ min: -2, max: 22 });
  const way = fc.oneof(
    fc.record({ value: limit }),
    fc.record({ min: limit }),
    fc.record({ max: limit }),
    fc.tuple(limit, limit).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
  );
  const some = fc.array(fc.tuple(way, fc.boolean()), { minLength: 1, maxLength: 8 }).map((ways) =>
    ways.map(
      ([bounds, coverage], i): PixelClass => ({
        ...bounds,
        ...(coverage ? { speeds: { bandwidth_max_mbps: i + 1 } } : { coverage: false }),
      }),
    ),
  );
  const sameAgain = (classes: PixelClass[]) => {
    const table = tableOfClasses(classes);
    const again = toClasses(table);
    expect(speedsOf(again, values)).toEqual(speedsOf(classes, values));
    expect(toClasses(tableOfClasses(again))).toEqual(again);
    // The shares beside the rows are of the same pixels.
    const share = { ...signal, histogram: null, values: [...values].map((value) => ({ value, share: 1 })) };
    const covered = speedsOf(classes, values).filter((mbps) => mbps > 0).length;
    expect(coveredShare(table, sharesOf(table, [share]))).toBe(covered);
  };
  const speeds = { bandwidth_max_mbps: 50 };
  sameAgain([
    { min: 0, max: 9, speeds },
    { min: 10, max: 19, speeds },
  ]);
  expect(toClasses(tableOfClasses([{ min: 5, max: 5, speeds }]))).toEqual([{ value: 5, speeds }]);
  fc.assert(fc.property(some, sameAgain), { numRuns: 100 });
});

test('a file that does not say its reference system is asked about, and never guessed', () => {
  const found = inspection();
  const [layer] = found.layers as [Inspection['layers'][number]];
  const unknown = { ...found, layers: [{ ...layer, reference_system: null }] };
  expect(problemsIn(unknown).crs).toBeDefined();
  expect(problemsIn(unknown, { crs: '2193' }).crs).toBeDefined();
  expect(problemsIn(unknown, { crs: 'EPSG:2193' }).crs).toBeUndefined();
});

const published = ['', 'north'].map((scope) => ({
  ...{ provider_id: 1, technology: 'fibre', scope, area_km2: 5, published_at: '2026-01-05T00:00:00Z' },
}));
const live = [...published, { ...(published[0] as (typeof published)[0]), technology: 'cable' }];
const words = (technology: string, scope: string) =>
  replacesWords({ technology, scope, availability: 'available' }, live, (name) => name.toUpperCase());

test('what a file replaces is said in words, also of a new scope, which replaces nothing', () => {
  const said = words('fibre', 'south');
  expect(said?.title).toBe('Adds FIBRE coverage with the scope “south”; your other FIBRE coverage stays.');
  expect(said?.text).toContain('the fastest');
  expect(words('adsl', 'south')).toBeUndefined();
});

test('what a file replaces is said in words, of its own scope, and of the technologies that are in the file where that says them', () => {
  expect(words('fibre', 'North')?.title).toMatch(
    /^Replaces your published FIBRE coverage with the scope “North” \(5/,
  );
  expect(words('fibre', '')?.text).toContain('with the scope “north” stays');
  expect(words('from-file', '')?.title).toMatch(
    /^Replaces, of your published FIBRE .* and CABLE .*, the technologies that this file has\.$/,
  );
});

test('small areas of a raster are merged only where somebody says how small, also when it is described anew', () => {
  const found = inspection({ layers: [raster(signal)] });
  const answers = { technology: 'wireless' };
  expect(submitted(found, answers)).not.toHaveProperty('sieve');
  const manifest = submitted(found, { ...answers, sieve: 10 });
  expect(accepted(manifest).sieve).toBe(10);
  expect(submitted(found, {}, manifest).sieve).toBe(10);
  expect(submitted(found, { sieve: undefined }, manifest)).not.toHaveProperty('sieve');
  for (const sieve of [1, 2.5, 1001]) expect(problemsIn(found, { sieve }).sieve, `${sieve}`).toBeDefined();
});

test('why a file was not published automatically is said in words', () => {
  const [lost, other] = ['area_lost', 'much_clipped'].map((code) => ({ code, message: '' }));
  expect(heldBackWords({ blocking: [lost, other] as { code: string; message: string }[] })).toContain(
    'because it would take live coverage away and the warning above needs a look',
  );
  expect(heldBackWords({ blocking: [] })).toContain('no longer applies');
});

test('whatever the form lets through, the API accepts', () => {
  const speed = fc.option(fc.double({ min: -10, max: 2_000_000, noNaN: true }), { nil: undefined });
  const attribute = fc.constantFrom(undefined, null, 'TECH', { field: 'DOWN', unit: 'kbps' as const });
  const four = <T>(one: fc.Arbitrary<T>) =>
    fc.record(
      eachSpeed(() => one),
      { requiredKeys: [] },
    );
  const status = fc.constantFrom(
    ...[{}, { coverage: false }, { availability: 'planned' as const }],
    ...['2026-11-21', '2027-03-31'].map((date) => ({ availability: 'planned' as const, planned_date: date })),
  );
  const speeds = fc.record(
    {
      bandwidth_min_mbps: fc.constantFrom(0, 20, 60),
      bandwidth_max_mbps: fc.constantFrom(-1, 0, 50, 2_000_000),
      bandwidth_up_max_mbps: fc.constantFrom(0, 5),
    },
    { requiredKeys: [] },
  );
  const word = fc.constantFrom('a', 'b', '');
  const meaning = fc.tuple(status, speeds).map(([status, speeds]) => ({ ...status, speeds }));
  const table = fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom({ colour: '#00a000' }, { value: 3 }), meaning)),
      ...[-75, -85, -Infinity].map((limit) => fc.tuple(fc.constant({ limit }), meaning)),
    )
    .map(([singles, ...ranges]) => [...singles, ...ranges].map(([key, of]) => ({ ...key, ...of })));
  fc.assert(
    fc.property(
      fc.record({
        technology: fc.constantFrom('', ...technologies),
        availability: fc.constantFrom('available' as const, 'underway' as const, 'planned' as const),
        planned_date: fc.constantFrom('', '2026-11-21', '2027-03-31'),
        speedsBy: fc.constantFrom('attributes' as const, 'tiers' as const, 'classes' as const),
        speeds: four(speed),
        attributes: four(attribute),
        tiers: fc.dictionary(word, meaning).map((values) => ({ field: 'CLASS', values })),
        table,
        crs: fc.constantFrom('', 'EPSG:2193'),
        publish: fc.constantFrom('auto' as const, 'review' as const),
      }),
      (answers) => {
        const found = inspection();
        fc.pre(Object.keys(problemsIn(found, answers)).length === 0);
        accepted(submitted(found, answers));
      },
    ),
    { numRuns: 200 },
  );
});

test('speed tiers are in the order of a price list, whatever their areas', () => {
  const tier = (technology: string, down: number, up: number, availability: 'available' | 'planned') => ({
    ...{ technology, availability, planned_date: null, rows: 1, area_km2: 1000 / down },
    ...{ bandwidth_min_mbps: 0, bandwidth_max_mbps: down },
    ...{ bandwidth_up_min_mbps: 0, bandwidth_up_max_mbps: up },
  });
  const ordered = [
    tier('fibre', 900, 500, 'available'),
    tier('fibre', 900, 500, 'planned'),
    tier('fibre', 900, 100, 'available'),
    tier('fibre', 100, 20, 'available'),
    tier('wireless', 300, 50, 'available'),
  ];
  expect(inOrder([...ordered].reverse())).toEqual(ordered);
});
