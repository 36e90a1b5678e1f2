/* The answers about a file in the form, and their conversion to a manifest. */

import {
  type Availability,
  type Inspection,
  type Manifest,
  type ModellingParameters,
  type ReferenceSystemChoice,
  type SpeedField,
  type Speeds,
  type SpeedUnit,
  speedFields,
} from '../shared/schemas.ts';
import {
  type ClassMeaning,
  isLater,
  maximums,
  maxMbps,
  meaningOf,
  type PixelTable,
  speedPairs,
  type TableProblems,
  tableOf,
  tableProblems,
  toClasses,
  toMeaning,
  undecided,
} from './pixel-table.ts';

/** The answer that each feature of the file has its own value. */
export const fromFile = 'from-file';

/** The source of one of the four speeds. */
export interface SpeedSource {
  /** '' for a number. */
  field: string;
  unit: SpeedUnit | '';
  mbps: number | undefined;
}

/** The meaning of one text of a field. */
export type TextMeaning = ClassMeaning & { key: string };

export interface Description {
  isTowers: boolean;
  /** Asked of staff only. */
  provider: string;
  /** A name, {@link fromFile}, or '' if not answered. */
  technology: string;
  availability: Availability | typeof fromFile;
  plannedDate: string;
  speedsBy: 'field' | 'text' | 'pixels';
  speeds: Record<SpeedField, SpeedSource>;
  textField: string;
  texts: TextMeaning[];
  pixels: PixelTable;
  /** Areas of fewer pixels in a raster take the class around them; undefined: all stay. */
  sieve: number | undefined;
  layers: string[];
  crs: string;
  /** The part of the provider's coverage that is in the file; '' for all of it. */
  scope: string;
  publish: 'auto' | 'review';
  /** Absent parameters are left to the service. */
  prediction: ModellingParameters;
  /** Further manifest fields as JSON, not covered by the form. They override the form's answers. */
  more: string;
  /** The part of the file's manifest that the form does not ask. */
  rest: Manifest;
}

/** Fields with more texts are not asked about one by one. */
const mostTexts = 20;

export type Questions = ReturnType<typeof questionsOf>;

/** The questions of the form for the contents of a file. */
export function questionsOf(inspection: Inspection | null | undefined) {
  const layers = inspection?.layers ?? [];
  const examples: Record<string, string[]> = {};
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
  return {
    attributes,
    examples,
    layers: layers.map(({ name }) => name),
    /** Fields with few texts, each of which can stand for speeds. */
    textFields: attributes.filter((field) => {
      const values = examples[field] ?? [];
      return values.length >= 1 && values.length <= mostTexts && values.some((value) => !isNumeric(value));
    }),
    hasNoTowers: inspection?.kind === 'towers' && inspection.towers?.count === 0,
    pixels: layers.flatMap(({ pixels }) => pixels ?? []),
    /** A raster cannot be read without the meaning of its pixels. */
    needsClasses: inspection?.manifest.classes !== undefined,
    speedsMissing: inspection?.speeds_missing ?? (maximums as readonly SpeedField[]),
    /** The file does not name its reference system. */
    needsCrs: inspection?.kind === 'coverage' && layers.some((layer) => layer.reference_system === null),
    systems: [...systems.values()].sort((a, b) => Number(b.likely) - Number(a.likely)),
  };
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text.trim().replace(',', '.')));
}

/** The form's first state, from the file alone. */
export function describe(
  inspection: Inspection | null | undefined,
  technologies: readonly string[],
): Description {
  const manifest: Manifest = inspection?.manifest ?? {};
  const questions = questionsOf(inspection);
  const {
    technology,
    availability,
    planned_date: plannedDate,
    speeds = {},
    attributes = {},
    tiers,
    classes,
    sieve,
    layers,
    crs,
    scope,
    publish,
    prediction,
    ...rest
  } = manifest;
  const pixels = tableOf(questions.pixels, classes ?? []);
  const source = (field: SpeedField): SpeedSource => {
    const use = asUse(attributes[field]);
    return { field: use?.field ?? '', unit: use?.unit ?? '', mbps: use ? undefined : speeds[field] };
  };
  return {
    isTowers: inspection?.kind === 'towers',
    provider: typeof manifest.provider === 'string' ? manifest.provider : (manifest.provider?.name ?? ''),
    technology: attributes.technology ? fromFile : (technologies.find((name) => name === technology) ?? ''),
    availability: attributes.availability ? fromFile : (availability ?? 'available'),
    plannedDate: plannedDate ?? '',
    // A single colour means coverage; several may each mean something else.
    speedsBy: tiers ? 'text' : pixels.length > 1 ? 'pixels' : 'field',
    speeds: Object.fromEntries(speedFields.map((field) => [field, source(field)])) as Description['speeds'],
    textField: tiers?.field ?? '',
    texts: Object.entries(tiers?.values ?? {}).map(([key, meaning]) => ({ key, ...meaningOf(meaning) })),
    pixels,
    sieve,
    layers: layers ?? questions.layers,
    crs: crs ?? '',
    scope: typeof scope === 'string' ? scope : '',
    publish: publish ?? 'review',
    prediction: prediction ?? {},
    more: '',
    // Fields that the form does not show, those of attributes too.
    rest:
      attributes.planned_date === undefined
        ? rest
        : { ...rest, attributes: { planned_date: attributes.planned_date } },
  };
}

type AttributeUse = NonNullable<Manifest['attributes']>[SpeedField | 'technology'];

function asUse(use: AttributeUse): { field: string; unit?: SpeedUnit } | undefined {
  if (!use) return undefined;
  return typeof use === 'string' ? { field: use } : use;
}

/** Rows for the texts of a field; known ones keep their meaning. */
export function textMeanings(values: readonly string[], before: readonly TextMeaning[]): TextMeaning[] {
  return values.map((text) => before.find(({ key }) => key === text) ?? { key: text, ...undecided });
}

export function toManifest(description: Description, inspection: Inspection | null | undefined): Manifest {
  const { technology, availability, plannedDate } = description;
  const said: Manifest = inspection?.manifest ?? {};
  const attributes: NonNullable<Manifest['attributes']> = { ...description.rest.attributes };
  const { technology: inTechnology, availability: inAvailability } = said.attributes ?? {};
  if (technology === fromFile && inTechnology) attributes.technology = inTechnology;
  if (availability === fromFile && inAvailability) attributes.availability = inAvailability;
  const speeds: Speeds = {};
  for (const field of speedFields) {
    const use = said.attributes?.[field];
    if (description.speedsBy !== 'field') {
      // It is not asked then; where words or colours leave a speed open, the file's own field still counts.
      if (use !== undefined) attributes[field] = use;
      continue;
    }
    const { field: name, unit, mbps } = description.speeds[field];
    if (name) {
      attributes[field] = { field: name, ...(unit ? { unit } : {}) };
      continue;
    }
    if (mbps !== undefined) speeds[field] = mbps;
    // Without this, a field of a well-known name would still be used.
    if (use) attributes[field] = null;
  }
  const { attributes: _shown, ...rest } = description.rest;
  const { speedsBy, textField, texts, layers, publish } = description;
  const isSome = layers.length > 0 && layers.length < questionsOf(inspection).layers.length;
  const values = () => Object.fromEntries(texts.map((one) => [one.key, toMeaning(one)]));
  return withoutUndefined({
    ...rest,
    provider: description.provider || undefined,
    technology: technology === fromFile ? undefined : technology || undefined,
    availability: availability === fromFile ? undefined : availability,
    planned_date: isLater(availability) ? plannedDate || undefined : undefined,
    speeds: filled(speeds),
    attributes: filled(attributes),
    tiers: speedsBy === 'text' && textField ? { field: textField, values: values() } : undefined,
    classes: speedsBy === 'pixels' ? toClasses(description.pixels) : undefined,
    sieve: description.sieve,
    layers: isSome ? layers : undefined,
    crs: description.crs || undefined,
    scope: description.scope.trim() || undefined,
    ...(description.isTowers ? { processed_by: 'service', prediction: filled(description.prediction) } : {}),
    publish,
    ...parseMore(description.more),
  }) as Manifest;
}

function withoutUndefined(all: object): object {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function filled<T extends object>(all: T): T | undefined {
  return Object.keys(all).length > 0 ? all : undefined;
}

/** Parses a text as a JSON object; undefined if it is none. An empty text is an empty object. */
function parseMore(text: string): Manifest | undefined {
  if (!text.trim()) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Manifest)
      : undefined;
  } catch {
    return undefined;
  }
}

type Asked = 'provider' | 'technology' | 'plannedDate' | 'layers' | 'crs' | 'scope' | 'sieve' | 'more';
type Question = Asked | 'meanings' | 'towers' | SpeedField;
export type FormProblems = Partial<Record<Question, string>> & { pixels?: TableProblems };

/** The problems by question. @param isInspected false while the file may still answer missing questions */
export function problemsOf(
  description: Description,
  catalog: { today: string; provider: object | null },
  questions: Questions,
  isInspected = true,
): FormProblems {
  const { provider, technology, availability, plannedDate, layers, crs, sieve, speedsBy, texts } =
    description;
  const more = parseMore(description.more);
  const saysItself = (field: keyof Manifest) => more?.[field] !== undefined;
  const needsTechnology = isInspected && !technology && !saysItself('technology');
  const needsCrs = questions.needsCrs && !saysItself('crs');
  // An EPSG code, or a definition in WKT.
  const isCrs = /^EPSG:\d{4,6}$/.test(crs) || crs.includes('[');
  const isSieve = sieve === undefined || (Number.isInteger(sieve) && sieve >= 2 && sieve <= 1000);
  const needsSpeeds =
    !description.isTowers && !(['speeds', 'attributes', 'classes', 'tiers'] as const).some(saysItself);
  const needsMeanings = needsSpeeds && speedsBy === 'text';
  const checks: readonly (readonly [Question, isWrong: boolean, text: string])[] = [
    ['provider', !catalog.provider && !provider.trim(), 'Choose an operator.'],
    ['more', !more, 'This is not JSON in curly brackets. Correct it, or leave it empty.'],
    ['technology', needsTechnology, 'Choose the technology of this coverage.'],
    [
      'plannedDate',
      isLater(availability) && plannedDate !== '' && plannedDate < catalog.today,
      'This day is in the past. If the coverage exists already, choose “Available now”.',
    ],
    ['layers', questions.layers.length > 1 && layers.length === 0, 'Choose at least one layer.'],
    ['crs', needsCrs && !crs, 'Choose the coordinate system of the file.'],
    ['crs', needsCrs && crs !== '' && !isCrs, 'Enter an EPSG code, such as 2193.'],
    ['sieve', !isSieve, 'Enter a whole number of pixels, from 2 to 1,000, or leave this empty.'],
    [
      'towers',
      questions.hasNoTowers,
      'No tower in this list can be used. Correct the file and upload it again.',
    ],
    [
      'meanings',
      needsMeanings && texts.some(({ status, speeds }) => status !== 'none' && !speeds.bandwidth_max_mbps),
      'Enter the download speed of each, or that it is no coverage.',
    ],
  ];
  const problems: FormProblems = Object.fromEntries(
    checks.flatMap(([question, isWrong, text]) => (isWrong ? [[question, text]] : [])),
  );
  if (!needsSpeeds || needsMeanings) return problems;
  if (speedsBy === 'field')
    return { ...problems, ...speedProblems(description.speeds, questions, isInspected) };
  const pixels = tableProblems(description.pixels, catalog.today);
  return Object.keys(pixels).length > 0 ? { ...problems, pixels } : problems;
}

function speedProblems(
  speeds: Description['speeds'],
  { speedsMissing }: Questions,
  isInspected: boolean,
): FormProblems {
  const problems: FormProblems = {};
  // A field for the download may include the upload, as in "100/20".
  const saysUpload =
    speeds.bandwidth_max_mbps.field !== '' && !speedsMissing.includes('bandwidth_up_max_mbps');
  for (const [field, what] of [
    ['bandwidth_max_mbps', 'download'],
    ['bandwidth_up_max_mbps', 'upload'],
  ] as const) {
    const isSaid = speeds[field].field !== '' || (what === 'upload' && saysUpload);
    if (isInspected && !isSaid && speeds[field].mbps === undefined) {
      problems[field] = `Enter the maximum ${what} speed.`;
    }
  }
  for (const [min, max] of speedPairs) {
    if ((speeds[min].mbps ?? 0) > (speeds[max].mbps ?? Infinity)) {
      problems[min] = 'This is above the maximum. Swap the two, or leave this one empty.';
    }
  }
  for (const field of speedFields) {
    const { mbps } = speeds[field];
    if (mbps !== undefined && (mbps < 0 || mbps > maxMbps)) {
      problems[field] = 'Enter a speed in Mbps, from 0 to 1,000,000.';
    } else if (mbps === 0 && field.includes('_max_')) {
      problems[field] = 'Enter a speed above 0: without one there is no coverage.';
    }
  }
  return problems;
}
