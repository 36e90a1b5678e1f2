import type { FileError } from '@covermap/coverage-files/errors.ts';
import type { SourceFeature, SourceLayer } from '@covermap/coverage-files/format.ts';
import { openSource } from '@covermap/coverage-files/open.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { cornersOf, emptyBox, extendBox, ringBox } from '@covermap/geometry/polygon.ts';
import { speedFields } from '../coverage/speeds.ts';
import type { AttributeQuestion, InspectedLayer } from '../coverage/submissions/inspection.ts';
import { type OfferReader, offerReader, type TierRules, textOfNames } from './attributes/attributes.ts';
import { namesAround, questionsIn, type WatchedAttribute } from './attributes/contradictions.ts';
import { isAbout } from './attributes/known-fields.ts';
import { numbersBesideTexts } from './attributes/numbers-beside-texts.ts';
import { parseSpeed } from './attributes/speed-text.ts';
import { maxTexts, subjectOfValues } from './attributes/subject-of-values.ts';
import {
  isBareAnswer,
  type KnownTechnology,
  parseAvailability,
  parseDate,
  parseTechnology,
} from './attributes/words.ts';
import { IngestError, isAboutFile } from './errors.ts';
import type { Inspection, InspectionWork, SuggestedManifest } from './messages.ts';
import {
  choicesInPlaceOf,
  isNoPlaceInDegrees,
  liesOutside,
  misses,
  type Position,
  type ReferenceSystem,
  rasterOutside,
  referenceSystemChoices,
  referenceSystems,
  systemsThatDiffer,
} from './systems/reference-system.ts';
import { openTowerBundle } from './towers/tower-bundle.ts';
import { parseTowers, TowerColumnsMissing } from './towers/tower-file.ts';

/* Inspects an uploaded file in the reader: layers, attributes, and manifest fields that it implies. Reads no more than needed. */

const maxLayers = 100;
const maxFeatures = 500;
/** The max examples of a field: one more than a form asks about, so that it knows if these are all. */
const maxExamples = 21;
const maxExampleLength = 100;
/** Longer values are no words, dates or speeds. */
const maxValueLength = 200;
const maxPositions = 16;
/** Classes are known only once all pixels have been read; an inspection stops at this time. */
const maxMs = 20_000;

/** Inspects a file as coverage, or else as towers. @throws IngestError of the readers, if it is neither; `no_areas` */
export async function inspectContents(task: InspectionWork & { scratch: string }): Promise<Inspection> {
  let unreadable: FileError | IngestError;
  try {
    const { met, ...coverage } = await asCoverage(task);
    if (met.others) return coverage;
    unreadable = met.points ? onlyPoints() : new IngestError('no_areas', 'The file holds no features.');
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    unreadable = error;
  }
  const towers = await asTowers(task);
  if (towers instanceof TowerColumnsMissing) throw towers;
  if (isAboutFile(towers)) throw withoutAreas.includes(unreadable.code) ? towers : unreadable;
  if (towers) return towers;
  throw unreadable;
}

const onlyPoints = () =>
  new IngestError(
    'no_areas',
    'The file holds points or lines, and no polygons.',
    'Submit the polygons that are covered; or tower data with the columns that /docs#/tower-data lists.',
  );

const withoutAreas = ['csv_without_areas', 'no_areas'];
const noTowers = ['towers_unreadable', 'tower_columns_missing', 'towers_too_many'];

/** The towers of a file, or its missing columns; undefined for other files. */
async function asTowers(task: InspectionWork & { scratch: string }) {
  const warnings: Inspection['warnings'] = [];
  const inspected = (count: number, problems: string[]): Inspection => ({
    ...{
      kind: 'towers',
      layers: [],
      manifest: { technology: 'wireless' },
      speeds_missing: [],
      warnings,
      questions: [],
    },
    towers: { count, problems },
  });
  try {
    const { list } = await openTowerBundle(task.file, task.scratch);
    const { length } = await parseTowers(list, {}, task.serviceArea, (columns) => {
      const message = `These columns are not used: ${columns.join(', ')}.`;
      warnings.push({ code: 'columns_unused', message });
    });
    return inspected(length, []);
  } catch (error) {
    const isMeant = error instanceof TowerColumnsMissing && error.hasSome;
    if (isMeant || (error instanceof IngestError && error.code === 'tower_lists_several')) return error;
    if (!isAboutFile(error) || noTowers.includes(error.code) || error.code.startsWith('archive_'))
      return undefined;
    return inspected(0, [error.message]);
  }
}

/** `met`: the first features include points or lines, or others. */
type CoverageInspection = Inspection & { met: { points: boolean; others: boolean } };

async function asCoverage(task: InspectionWork & { scratch: string }): Promise<CoverageInspection> {
  const { file, name, scratch, technologies } = task;
  const options = { layers: undefined, classes: undefined, smoothing: false };
  const source = await openSource(file, name, scratch, options);
  const inspection: CoverageInspection = {
    ...{
      kind: 'coverage',
      layers: [],
      manifest: {},
      speeds_missing: [],
      warnings: [],
      questions: [],
      towers: null,
    },
    met: { points: false, others: false },
  };
  const deadline = performance.now() + maxMs;
  const elsewhere: Inspection['warnings'] = [];
  const systemOf = referenceSystems(task.serviceArea);
  try {
    for (const layer of source.layers.slice(0, maxLayers)) {
      const system = await systemOfFile(layer, systemOf, inspection);
      const { inspected, positions } = await inspectLayer(layer, inspection, task, deadline);
      const others = system ? await systemsThatDiffer(layer, system, systemOf, task.serviceArea) : [];
      for (const { message } of others)
        inspection.warnings.push({ code: 'reference_systems_differ', message });
      // With two that differ, or impossible degrees, the reference system counts as missing.
      if (
        system &&
        others.length === 0 &&
        (system.projected || positions.length === 0 || !positions.every(isNoPlaceInDegrees))
      )
        inspected.reference_system = system.name;
      else inspected.reference_system_choices = await referenceSystemChoices(positions, task.serviceArea);
      if (system && inspected.reference_system !== null && misses(system, positions, task.serviceArea)) {
        const choices = await choicesInPlaceOf(system, positions, task.serviceArea);
        if (choices.length > 0) inspected.reference_system_choices = choices;
      }
      if (system && layer.extent && liesOutside(system, layer.extent, task.serviceArea)) {
        const choices = inspected.reference_system_choices ?? [];
        const { code, message } = rasterOutside(layer.name, system, choices);
        elsewhere.push({ code, message });
      }
    }
  } finally {
    source.close();
  }
  // Outside the service area, pixels need no meaning.
  if (elsewhere.length > 0 && elsewhere.length === inspection.layers.length) {
    delete inspection.manifest.classes;
    inspection.warnings = inspection.warnings.filter(({ code }) => code !== 'classes_needed');
  }
  inspection.warnings.push(...elsewhere);
  // Includes layers that were not inspected: a manifest that lists some layers omits the others.
  const names = source.layers.map((layer) => layer.name);
  const { manifest } = inspection;
  if (names.length > 1) manifest.layers = names;
  const named = technologyIn([name, ...names], technologies);
  if (named !== undefined) manifest.technology ??= named;
  const mapped = new Set(Object.keys(manifest.attributes ?? {}));
  const both = inspection.layers.some(saysBothDirections);
  inspection.speeds_missing = speedFields.filter(
    (field) => field.includes('_max_') && !mapped.has(field) && !(both && field.includes('_up_')),
  );
  return inspection;
}

async function systemOfFile(
  { referenceSystem }: SourceLayer,
  systemOf: (definition: string) => Promise<ReferenceSystem>,
  { warnings }: Inspection,
): Promise<ReferenceSystem | undefined> {
  if (!referenceSystem) return undefined;
  return systemOf(referenceSystem.definition).catch((error) => {
    if (!isAboutFile(error)) throw error;
    warnings.push({ code: error.code, message: error.message });
    return undefined;
  });
}

/** @returns also sample positions, and the corners of its box */
async function inspectLayer(
  layer: SourceLayer,
  inspection: CoverageInspection,
  { technologies, today }: InspectionWork,
  deadline: number,
) {
  const reader = offerReader(layer, withoutManifest(technologies));
  const values = layer.fields.map(() => new Set<string>());
  const box = emptyBox();
  const firsts: Position[] = [];
  const pixels = await inspectPixels(layer, inspection, deadline);
  const inStep = numbersInStep(layer, reader);
  let featureCount = 0;
  for await (const feature of pixels ? [] : layer.features()) {
    pulse();
    for (const [outer] of feature.polygons) {
      if (!outer) continue;
      extendBox(box, ringBox(outer));
      if (firsts.length < maxPositions) firsts.push([outer[0] as number, outer[1] as number]);
    }
    inspection.met[feature.dropped === 'not_a_polygon' ? 'points' : 'others'] = true;
    for (const [field, known] of values.entries()) {
      const text = known.size < maxFeatures ? feature.attributes.text(field) : null;
      if (text !== null && text.trim() !== '') known.add(text.trim().slice(0, maxValueLength));
    }
    inStep.observe(feature);
    if (++featureCount >= maxFeatures || performance.now() > deadline) break;
  }
  inspection.warnings.push(...reader.warnings(), ...layer.warnings);
  const textsOf = (field: number) => [...(values[field] ?? [])].slice(0, maxExamples);
  const examples = layer.fields.map((name, field) => [
    name,
    textsOf(field).map((text) => text.slice(0, maxExampleLength)),
  ]);
  const texts = layer.fields.flatMap((name, field) => {
    const few = textsOf(field);
    const isListed = few.length > 0 && few.length < maxExamples && few.every(isShort);
    return isListed ? [[name, meaningsOf(few, technologies)]] : [];
  });
  const both = layer.fields.filter((_, field) =>
    textsOf(field).some((text) => parseSpeed(text)?.other !== undefined),
  );
  const inspected: InspectedLayer = {
    ...{ name: layer.name, format: layer.format, reference_system: null, attributes: layer.fields },
    ...{ examples: Object.fromEntries(examples), mapping: reader.mapping, ...(pixels && { pixels }) },
    ...{ texts: Object.fromEntries(texts), both_directions: both },
  };
  inspection.layers.push(inspected);
  suggest(inspection.manifest, inspected, values, technologies);
  const { attributes = {} } = inspection.manifest;
  const ofLayer = Object.entries(attributes).filter(([, { field }]) => layer.fields.includes(field));
  const rules = {
    ...withoutManifest(technologies),
    technology: '',
    today,
    attributes: Object.fromEntries(ofLayer),
  };
  const textsIn = (field: number) =>
    field === namesAround ? [textOfNames([layer.name])] : [...(values[field] ?? [])];
  const mapped = new Set(ofLayer.map(([name]) => name));
  const described = offerReader(layer, rules);
  const attributesAsked = [...described.watched, ...aboutByValues(layer, described, textsIn, technologies)];
  const asked = questionsIn(attributesAsked, mapped, textsIn, { technologies, today });
  for (const question of [...asked, ...inStep.questions()]) {
    const isSame = (one: AttributeQuestion) =>
      one.about === question.about && one.attribute === question.attribute;
    if (!inspection.questions.some(isSame)) inspection.questions.push(question);
  }
  const corners = cornersOf(firsts.length > 0 ? box : (layer.extent ?? emptyBox()));
  return { inspected, positions: [...firsts, ...corners].filter((one) => one.every(Number.isFinite)) };
}

/** The unused attributes that are about a subject by their values. */
function aboutByValues(
  { fields, kinds }: SourceLayer,
  { unused, isOpenTo }: OfferReader,
  textsOf: (field: number) => string[],
  technologies: KnownTechnology[],
): WatchedAttribute[] {
  return unused.flatMap((field): WatchedAttribute[] => {
    const [name, kind] = [fields[field] as string, kinds?.[field]];
    const texts = textsOf(field).slice(0, maxTexts);
    const subject = subjectOfValues({ name, kind, texts }, technologies);
    return subject && isOpenTo(subject, field) ? [{ subject, field, name, kind, about: 'likely' }] : [];
  });
}

/** Asks about numbers that are taken for speeds and may be codes. */
function numbersInStep(layer: SourceLayer, { unused, mapping }: OfferReader) {
  const speeds = mapping.map(({ attribute }) => layer.fields.indexOf(attribute));
  const pairs = numbersBesideTexts(layer, unused, speeds);
  return {
    observe: ({ attributes }: SourceFeature) => pairs.observe(attributes),
    questions: () =>
      pairs.found().map(({ numbersOf, textsOf, numbers, texts }) => ({
        ...{ about: 'speeds' as const, attribute: textsOf, values: texts },
        numbers: { attribute: numbersOf, values: numbers },
      })),
  };
}

const isShort = (text: string) => text.length <= maxExampleLength;

/** What texts mean as a technology and as an availability, if the manifest names their attribute for it. */
function meaningsOf(texts: readonly string[], technologies: KnownTechnology[]) {
  return Object.fromEntries(
    texts.map((text) => [
      text,
      {
        technology: parseTechnology(text, technologies, { codes: true }) ?? null,
        availability: parseAvailability(text) ?? null,
      },
    ]),
  );
}

/** Notes the classes to fill in if the raster cannot be read without them. */
async function inspectPixels(layer: SourceLayer, inspection: CoverageInspection, deadline: number) {
  if (!layer.inspectPixels) return undefined;
  inspection.met.others = true;
  const { summary, needed } = await layer.inspectPixels(() => performance.now() < deadline);
  if (needed) {
    inspection.manifest.classes ??= needed.classes;
    inspection.warnings.push({ code: needed.code, message: needed.message });
  }
  return summary;
}

/** Tells if an attribute, by its name and texts, suits a field of the manifest. */
const holds = {
  technology: (name: string, texts: string[], technologies: KnownTechnology[]) => {
    const about = isAbout('technology', name);
    const isTechnology = (text: string) =>
      parseTechnology(text, technologies, { codes: about === 'certain' }) !== undefined;
    return about !== undefined && texts.every(isTechnology);
  },
  availability: (name: string, texts: string[]) => {
    const about = isAbout('availability', name);
    // A status of 1 may be anything.
    const isAvailability = (text: string) =>
      parseAvailability(text) !== undefined && (about === 'certain' || !isBareAnswer(text));
    return about !== undefined && texts.every(isAvailability);
  },
  planned_date: (name: string, texts: string[]) =>
    isAbout('planned_date', name) !== undefined && texts.every((text) => parseDate(text) !== undefined),
};

/** Suggests a mapping of the layer's attributes; the first layer with a suggestion counts. */
function suggest(
  manifest: SuggestedManifest,
  { attributes, mapping }: InspectedLayer,
  values: readonly ReadonlySet<string>[],
  technologies: KnownTechnology[],
): void {
  const suggested = manifest.attributes ?? {};
  for (const { to, attribute, unit } of mapping) {
    suggested[to] ??= { field: attribute, ...(unit ? { unit } : {}) };
  }
  const taken = new Set(mapping.map(({ attribute }) => attribute));
  for (const to of ['technology', 'availability', 'planned_date'] as const) {
    const field = attributes.findIndex((name, i) => {
      const texts = [...(values[i] ?? [])];
      return texts.length > 0 && !taken.has(name) && holds[to](name, texts, technologies);
    });
    if (field < 0 || suggested[to]) continue;
    suggested[to] = { field: attributes[field] as string };
    taken.add(attributes[field] as string);
    const [first] = values[field] ?? [];
    if (to === 'technology' && first !== undefined) {
      const technology = parseTechnology(first, technologies, { codes: true });
      if (technology !== undefined) manifest.technology ??= technology;
    }
  }
  if (Object.keys(suggested).length > 0) manifest.attributes = suggested;
}

/** Tells if the attribute of the download has texts such as "100/20". */
function saysBothDirections({ mapping, both_directions: both = [] }: InspectedLayer): boolean {
  return mapping.some(({ to, attribute }) => to === 'bandwidth_max_mbps' && both.includes(attribute));
}

/** The technology in names of files and layers: `fibre-north.zip`. */
function technologyIn(names: readonly string[], technologies: KnownTechnology[]): string | undefined {
  for (const word of names.flatMap((name) => name.split(/[^A-Za-z]+/))) {
    const technology = parseTechnology(word, technologies, { codes: false });
    if (technology !== undefined) return technology;
  }
  return undefined;
}

const withoutManifest = (technologies: KnownTechnology[]) =>
  ({ availability: 'available', speeds: {}, attributes: {}, technologies }) as unknown as TierRules;
