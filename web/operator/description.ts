/* The form about a file. Its answers are a partial manifest, which takes precedence over the file. */

import {
  type AttributeQuestion,
  type Availability,
  type Inspection,
  type Manifest,
  type ReferenceSystemChoice,
  type SpeedField,
  type Speeds,
  speedFields,
} from '../shared/schemas.ts';
import { isLater, maximums, meaningProblems, type Problems, speedFaults, stated } from './meaning.ts';
import { type PixelTable, tableOf, tableProblems, toClasses } from './pixel-table.ts';

/** The answer that each feature of the file has its own value. */
export const fromFile = 'from-file';

type Attributes = NonNullable<Manifest['attributes']>;
type OrUndefined<T> = { [K in keyof T]?: T[K] | undefined };

/** The answers of a form: fields of the manifest, undefined for none, and others from which such fields are made. */
export type Answers = OrUndefined<Omit<Manifest, 'speeds' | 'attributes'>> & {
  speeds?: OrUndefined<Speeds>;
  attributes?: OrUndefined<Attributes>;
  speedsBy?: 'attributes' | 'tiers' | 'classes';
  /** Becomes the classes of a raster. */
  table?: PixelTable;
  /** Further fields as JSON, which override the others. */
  more?: string;
};

/** Fields with more texts are not asked about one by one. */
const mostTexts = 20;

export type Questions = ReturnType<typeof questionsOf>;

/** An object without a prototype, for names from a file: a field may be called `constructor`. */
const byName = <T>(): Record<string, T> => Object.create(null);

/** The facts known of a file, and the questions of the form for its contents. @param before earlier answers */
export function questionsOf(inspection: Inspection | null, before: Manifest = {}) {
  const layers = inspection?.layers ?? [];
  const examples = byName<string[]>();
  for (const layer of layers) {
    for (const [field, values] of Object.entries(layer.examples ?? {})) {
      examples[field] = [...new Set([...(examples[field] ?? []), ...values])];
    }
  }
  const attributes = [...new Set(layers.flatMap((layer) => layer.attributes))];
  const systems = new Map<string, ReferenceSystemChoice>();
  for (const choice of layers.flatMap((layer) => layer.reference_system_choices ?? [])) {
    if (!systems.has(choice.crs)) systems.set(choice.crs, choice);
  }
  const pixels = layers.flatMap(({ pixels }) => pixels ?? []);
  const stated = layers.map((layer) => layer.reference_system);
  const found: Answers = { ...inspection?.manifest };
  // The technology of the first feature is no default for features without one.
  if (found.attributes?.technology) delete found.technology;
  return {
    known: over(found, before),
    /** The same for a form with tiers or classes: earlier answers about fixed speeds and attributes count only if they were given with such. */
    knownBesideRows: over(found, before.tiers || before.classes ? before : withoutSpeeds(before)),
    attributes,
    examples,
    texts: textsOf(layers),
    /** Fields with texts such as "100/20". */
    bothDirections: new Set(layers.flatMap(({ both_directions: both = [] }) => both)),
    /** Questions about unused fields. */
    asked: inspection?.questions ?? [],
    layers: layers.map(({ name }) => name),
    /** Fields with few texts, each of which can stand for speeds. */
    textFields: attributes.filter((field) => {
      const values = examples[field] ?? [];
      return values.length >= 1 && values.length <= mostTexts && values.some((value) => !isNumeric(value));
    }),
    isTowers: inspection?.kind === 'towers',
    towers: inspection?.towers?.count ?? 0,
    pixels,
    initialTable: tableOf(pixels, found.classes ?? []),
    /** A raster cannot be read without the meaning of its pixels. */
    needsClasses: found.classes !== undefined,
    /** The file does not name its reference system. */
    needsCrs: inspection?.kind === 'coverage' && stated.includes(null),
    /** The reference systems that the file names. */
    statedSystems: [...new Set(stated.filter((name) => name !== null))],
    systems: [...systems.values()].sort((a, b) => Number(b.likely) - Number(a.likely)),
  };
}

/** The meaning of a text of a field; `none`: no coverage. */
type TextMeaning = { technology: string | null; availability: Availability | 'none' | null };

/** The meanings of the texts of fields that have few, by field; texts that differ in case only are one. */
function textsOf(layers: Inspection['layers']): Record<string, Record<string, TextMeaning>> {
  const all = byName<Record<string, TextMeaning>>();
  const rare = layers.flatMap(({ attributes, texts = {} }) =>
    attributes.filter((field) => !Object.hasOwn(texts, field)),
  );
  for (const [field, texts] of layers.flatMap(({ texts = {} }) => Object.entries(texts))) {
    if (rare.includes(field)) continue;
    const known = all[field] ?? byName<TextMeaning>();
    all[field] = known;
    const lower = new Set(Object.keys(known).map((text) => text.toLowerCase()));
    for (const [text, meaning] of Object.entries(texts)) {
      if (!lower.has(text.toLowerCase())) known[text] = meaning;
      lower.add(text.toLowerCase());
    }
  }
  return all;
}

/** The subjects for which the texts of a field have meanings. */
export type TextSubject = 'technology' | 'availability';

/** A text of the field that the description names for a subject, with its meaning; undefined where none is known. */
export function meaningsOf(description: Description, { texts }: Questions, about: TextSubject) {
  const attribute = description.attributes[about];
  const values: Record<string, string | null> = (attribute instanceof Object && attribute.values) || {};
  return Object.entries(texts[fieldName(attribute)] ?? {}).map(([text, found]) => {
    const given = Object.hasOwn(values, text) ? values[text] : undefined;
    return { text, meaning: given === null ? 'none' : (given ?? found[about] ?? undefined) };
  });
}

/** Names the control of a text's meaning. */
export const textControl = (about: TextSubject, row: number) => `${about}-text-${row}`;

export const isNamed = (names: readonly string[], name: string) =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** Tells if the description leaves a question of the inspection open. */
export function isOpen({ about, attribute, numbers }: AttributeQuestion, description: Description): boolean {
  const { attributes, availability, ignore, speedsBy } = description;
  if (attribute !== null && isNamed(ignore, attribute)) return false;
  if (numbers) return speedsBy === 'attributes';
  const isAvailable = availability === 'available' && !attributes.availability;
  switch (about) {
    case 'planned_date':
      return attributes.planned_date === undefined || (attributes.planned_date !== null && isAvailable);
    case 'speeds': {
      const isFree = speedFields.some((name) => attributes[name] === undefined);
      return isFree && !speedFields.some((name) => fieldName(attributes[name]) === attribute);
    }
    case 'availability':
      return attributes.availability === undefined && (attribute !== null || isAvailable);
    default:
      return attributes[about] === undefined;
  }
}

/** The field for the download, if its texts hold the upload, too. */
export function fieldOfBoth({ attributes }: Description, { bothDirections }: Questions): string | undefined {
  const field = fieldName(attributes.bandwidth_max_mbps);
  return bothDirections.has(field) ? field : undefined;
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text.trim().replace(',', '.')));
}

/** Completes answers from a file, as the service does: a fixed speed counts before an attribute. */
function over(file: Answers, answers: Answers) {
  const fixed = Object.keys(answers.speeds ?? {}).filter((name) => file.attributes?.[name as SpeedField]);
  return {
    ...file,
    ...answers,
    speeds: { ...file.speeds, ...answers.speeds },
    attributes: {
      ...file.attributes,
      ...(Object.fromEntries(fixed.map((name) => [name, null])) as OrUndefined<Attributes>),
      ...answers.attributes,
    },
  };
}

/** The values that the form shows: the answers, completed from the facts known of the file, with defaults. */
export type Description = ReturnType<typeof describe>;

export function describe(
  { known, knownBesideRows, pixels, layers, isTowers }: Questions,
  answers: Answers,
  technologies: readonly string[],
) {
  const { table = tableOf(pixels, known.classes ?? []), more = '' } = answers;
  // A single colour means coverage; several may each mean something else.
  const { speedsBy = known.tiers ? 'tiers' : table.length > 1 ? 'classes' : 'attributes' } = answers;
  const manifest =
    speedsBy === 'attributes' ? over(known, answers) : over(knownBesideRows, withoutSpeeds(answers));
  return {
    ...manifest,
    ...{ speedsBy, table, more },
    technology: technologies.find((name) => name === manifest.technology) ?? '',
    availability: manifest.availability ?? 'available',
    planned_date: manifest.planned_date ?? '',
    layers: manifest.layers ?? layers,
    crs: manifest.crs ?? '',
    scope: manifest.scope ?? '',
    // A used field is not ignored, even if earlier files ignored it.
    ignore: (manifest.ignore ?? []).filter((name) => !isNamed(usedFields(manifest, speedsBy), name)),
    publish: manifest.publish ?? 'review',
    prediction: manifest.prediction ?? {},
    processed_by: isTowers ? 'service' : manifest.processed_by,
  };
}

/** The fields that a description uses. */
function usedFields({ attributes, tiers }: Answers, speedsBy: Answers['speedsBy']): string[] {
  const mapped = Object.values(attributes ?? {}).map(fieldName);
  return speedsBy === 'tiers' && tiers ? [...mapped, tiers.field] : mapped;
}

/** Answers without speeds, for a form whose tiers or classes have them. */
function withoutSpeeds({ speeds: _, attributes = {}, ...others }: Answers): Answers {
  const isSpeed = (name: string) => (speedFields as readonly string[]).includes(name);
  const kept = Object.entries(attributes).filter(([name]) => !isSpeed(name));
  return { ...others, attributes: Object.fromEntries(kept) };
}

/** The answer to a question that the file may answer for each feature. */
export function choiceOf<K extends 'technology' | 'availability'>(description: Description, name: K) {
  return description.attributes[name] ? fromFile : description[name];
}

export function providerName({ provider }: Pick<Description, 'provider'>): string {
  return typeof provider === 'string' ? provider : (provider?.name ?? '');
}

/** The field that an attribute names; '' for none. */
export function fieldName(attribute: Attributes[keyof Attributes]): string {
  return typeof attribute === 'string' ? attribute : (attribute?.field ?? '');
}

/** The tiers by a field; texts that it shares with the field before keep their meaning. */
export function tiersBy(field: string, texts: readonly string[], before: Manifest['tiers']) {
  return { field, values: Object.fromEntries(texts.map((text) => [text, before?.values[text] ?? {}])) };
}

export function toManifest(description: Description, questions: Questions): Manifest {
  const { table, speedsBy, more, planned_date, layers, tiers, ...others } = description;
  const availability = choiceOf(description, 'availability');
  const isDated = isLater(availability) && !others.attributes.planned_date;
  const date = availability === fromFile ? questions.known.planned_date : isDated && planned_date;
  const isSome = layers.length > 0 && !questions.layers.every((layer) => layers.includes(layer));
  const values = Object.entries(tiers?.values ?? {}).map(([text, one]) => [text, stated(one)] as const);
  return withoutEmpty({
    ...others,
    provider: others.provider || undefined,
    technology: others.technology || undefined,
    planned_date: date || undefined,
    tiers: speedsBy === 'tiers' && tiers ? { ...tiers, values: Object.fromEntries(values) } : undefined,
    classes: speedsBy === 'classes' ? toClasses(table) : undefined,
    layers: isSome ? layers : undefined,
    crs: others.crs || undefined,
    scope: others.scope.trim() || undefined,
    // An empty list overrides the answer for earlier files.
    ignore: others.ignore.length > 0 || questions.known.ignore ? others.ignore : undefined,
    prediction: others.processed_by === 'service' ? others.prediction : undefined,
    ...parseMore(more),
  }) as Manifest;
}

/** Drops what is undefined or holds nothing. */
function withoutEmpty(all: object): object {
  const isGiven = (value: unknown) => value !== undefined && JSON.stringify(value) !== '{}';
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isGiven(value)));
}

/** Parses a text as a JSON object; undefined if it is none. An empty text is an empty object. */
function parseMore(text: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(text.trim() || '{}');
    return parsed instanceof Object && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** @param isInspected false while the file may still answer missing questions */
export function problemsOf(
  description: Description,
  catalog: { today: string; provider: object | null },
  questions: Questions,
  isInspected = true,
): Problems {
  const { planned_date: date, layers, crs, sieve } = description;
  const more = parseMore(description.more);
  const saysItself = (field: keyof Manifest) => more?.[field] !== undefined;
  const needsTechnology = isInspected && !choiceOf(description, 'technology') && !saysItself('technology');
  const needsCrs = questions.needsCrs && !saysItself('crs');
  // An EPSG code, or a definition in WKT.
  const isCrs = /^EPSG:\d{4,6}$/.test(crs) || crs.includes('[');
  const isSieve = sieve === undefined || (Number.isInteger(sieve) && sieve >= 2 && sieve <= 1000);
  const needsSpeeds =
    !questions.isTowers && !(['speeds', 'attributes', 'classes', 'tiers'] as const).some(saysItself);
  const checks: readonly (readonly [id: string, isWrong: boolean, text: string])[] = [
    ['provider', !catalog.provider && !providerName(description).trim(), 'Choose an operator.'],
    ['more', !more, 'This is not JSON in curly brackets. Correct it, or leave it empty.'],
    ['technology', needsTechnology, 'Choose the technology of this coverage.'],
    [
      'planned_date',
      isLater(choiceOf(description, 'availability')) && date !== '' && date < catalog.today,
      'This day is in the past. If the coverage exists already, choose “Available now”.',
    ],
    ['layers', questions.layers.length > 1 && layers.length === 0, 'Choose at least one layer.'],
    ...(['technology', 'availability'] as const).flatMap((about) =>
      textChecks(description, questions, about),
    ),
    ['crs', needsCrs && !crs, 'Choose the coordinate system of the file.'],
    ['crs', crs !== '' && !isCrs, 'Enter an EPSG code, such as 2193.'],
    ['sieve', !isSieve, 'Enter a whole number of pixels, from 2 to 1,000, or leave this empty.'],
    [
      'towers',
      questions.isTowers && questions.towers === 0,
      'No tower in this list can be used. Correct the file and upload it again.',
    ],
  ];
  return {
    ...Object.fromEntries(checks.flatMap(([id, isWrong, text]) => (isWrong ? [[id, text]] : []))),
    ...(needsSpeeds ? speedProblems(description, questions, catalog.today, isInspected) : {}),
  };
}

/** A field for a subject is chosen, and so are the meanings of its texts. */
function textChecks(description: Description, questions: Questions, about: TextSubject) {
  const attribute = description.attributes[about];
  if (!attribute) return [];
  const isMissing = fieldName(attribute) === '';
  const rows = meaningsOf(description, questions, about).map(
    ({ text, meaning }, i) =>
      [textControl(about, i), meaning === undefined, `Choose what “${text}” means.`] as const,
  );
  return [[`${about}-from`, isMissing, 'Choose the field.'] as const, ...rows];
}

function speedProblems(
  description: Description,
  questions: Questions,
  today: string,
  isInspected: boolean,
): Problems {
  const { speedsBy, table, tiers, speeds, attributes } = description;
  if (speedsBy === 'classes') return tableProblems(table, today);
  if (speedsBy === 'tiers') {
    const rows = Object.values(tiers?.values ?? {});
    return Object.assign({}, ...rows.map((row, i) => meaningProblems(row, i, today, ['bandwidth_max_mbps'])));
  }
  const isIncluded = fieldOfBoth(description, questions) !== undefined;
  const isNeeded = (name: SpeedField) =>
    isInspected && !attributes[name] && !(isIncluded && name === 'bandwidth_up_max_mbps');
  const faults = speedFaults(speeds, maximums.filter(isNeeded)).map(([name, fault]) => [
    name,
    fault === 'missing' ? `Enter the ${speedLabels[name].toLowerCase()}.` : faultWords[fault],
  ]);
  return Object.fromEntries(faults);
}

export const speedLabels: Record<SpeedField, string> = {
  bandwidth_max_mbps: 'Maximum download speed',
  bandwidth_up_max_mbps: 'Maximum upload speed',
  bandwidth_min_mbps: 'Minimum download speed',
  bandwidth_up_min_mbps: 'Minimum upload speed',
};
const faultWords = {
  above: 'This is above the maximum. Swap the two, or leave this one empty.',
  outside: 'Enter a speed in Mbps, from 0 to 1,000,000.',
  zero: 'Enter a speed above 0: without one there is no coverage.',
};
