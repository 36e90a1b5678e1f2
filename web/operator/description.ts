/*
 * What is said of a file while the form is open, and its way to the manifest. No page in here: the form shows it.
 */

import {
  type Availability,
  type Inspection,
  type Manifest,
  type Meaning,
  type PixelSummary,
  type SpeedField,
  type Speeds,
  type SpeedUnit,
  type SystemChoice,
  speedFields,
} from '../shared/schemas.ts';
import { type PixelTable, type TableProblems, tableOf, tableProblems, toClasses } from './pixel-table.ts';

/** Where one of the four speeds comes from. */
export type SpeedSource =
  | { from: 'number'; mbps: number | undefined }
  | { from: 'attribute'; field: string; unit: SpeedUnit | undefined };

/** What one text of a field stands for. */
export interface ClassMeaning {
  key: string;
  coverage: boolean;
  download: number | undefined;
  upload: number | undefined;
}

export interface Description {
  isTowers: boolean;
  /** Asked of staff only. */
  provider: string;
  /** '' where it is not said yet, or where the file says it. */
  technology: string;
  technologyFromFile: boolean;
  availability: Availability;
  availabilityFromFile: boolean;
  plannedDate: string;
  /** Whether speeds are said by field, or what a text or a colour stands for. */
  speedsBy: 'field' | 'text' | 'pixels';
  speeds: Record<SpeedField, SpeedSource>;
  /** The field whose texts stand for speeds. */
  textField: string;
  texts: ClassMeaning[];
  pixels: PixelTable;
  /** Areas of a raster of fewer pixels take the class around them; undefined: all stay. */
  sieve: number | undefined;
  layers: string[];
  crs: string;
  /** The part of the provider's coverage that the file is; '' for all of it. */
  scope: string;
  publish: 'auto' | 'review';
  /** More of the manifest, as JSON: for what the form does not ask. It counts before the form's answers. */
  more: string;
  /** What the file says and the form does not ask. */
  rest: Manifest;
}

/** What the form may ask of a file, by what was found in it. */
export interface Questions {
  attributes: string[];
  examples: Record<string, string[]>;
  layers: string[];
  /** Fields with so few texts that each can stand for speeds. */
  textFields: string[];
  /** What rasters hold. */
  pixels: PixelSummary[];
  /** Whether a raster cannot be read without being told what its pixels mean. */
  needsClasses: boolean;
  /** Whether nothing says which reference system it is in; and those under which it has a place. */
  needsCrs: boolean;
  systems: SystemChoice[];
  /** Whether it is a list of towers of which none can be used. */
  hasNoTowers: boolean;
  /** Speeds that the file does not say. */
  speedsMissing: readonly SpeedField[];
}

/** More texts than these are not asked about one by one. */
const mostTexts = 20;
const asked: readonly SpeedField[] = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'];

export function questionsOf(inspection: Inspection | null | undefined): Questions {
  const layers = inspection?.layers ?? [];
  const examples: Record<string, string[]> = {};
  for (const layer of layers) {
    for (const [field, values] of Object.entries(layer.examples ?? {})) {
      examples[field] = [...new Set([...(examples[field] ?? []), ...values])];
    }
  }
  const attributes = [...new Set(layers.flatMap((layer) => layer.attributes))];
  const systems = new Map<string, SystemChoice>();
  for (const choice of layers.flatMap((layer) => layer.reference_system_choices ?? [])) {
    if (!systems.has(choice.crs)) systems.set(choice.crs, choice);
  }
  return {
    attributes,
    examples,
    layers: layers.map(({ name }) => name),
    textFields: attributes.filter((field) => {
      const values = examples[field] ?? [];
      return values.length >= 1 && values.length <= mostTexts && values.some((value) => !isNumeric(value));
    }),
    hasNoTowers: inspection?.kind === 'towers' && inspection.towers?.count === 0,
    pixels: layers.flatMap(({ pixels }) => pixels ?? []),
    needsClasses: inspection?.manifest.classes !== undefined,
    speedsMissing: inspection?.speeds_missing ?? asked,
    needsCrs: inspection?.kind === 'coverage' && layers.some((layer) => layer.reference_system === null),
    systems: [...systems.values()].sort((a, b) => Number(b.likely) - Number(a.likely)),
  };
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text.trim().replace(',', '.')));
}

/** The form's first state: what the file says, and nothing else. */
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
    ...rest
  } = manifest;
  const pixels = tableOf(questions.pixels, classes ?? []);
  const source = (field: SpeedField): SpeedSource => {
    const use = asUse(attributes[field]);
    return use
      ? { from: 'attribute', field: use.field, unit: use.unit }
      : { from: 'number', mbps: speeds[field] };
  };
  return {
    isTowers: inspection?.kind === 'towers',
    provider: typeof manifest.provider === 'string' ? manifest.provider : (manifest.provider?.name ?? ''),
    technology: technology && technologies.includes(technology) ? technology : '',
    technologyFromFile: Boolean(asUse(attributes.technology)),
    availability: availability ?? 'available',
    availabilityFromFile: Boolean(asUse(attributes.availability)),
    plannedDate: plannedDate ?? '',
    speedsBy: tiers ? 'text' : hasSeveral(pixels) ? 'pixels' : 'field',
    speeds: {
      bandwidth_min_mbps: source('bandwidth_min_mbps'),
      bandwidth_max_mbps: source('bandwidth_max_mbps'),
      bandwidth_up_min_mbps: source('bandwidth_up_min_mbps'),
      bandwidth_up_max_mbps: source('bandwidth_up_max_mbps'),
    },
    textField: tiers?.field ?? '',
    texts: tiers ? Object.entries(tiers.values).map(([text, meaning]) => meaningOf(text, meaning)) : [],
    pixels,
    sieve,
    layers: layers ?? questions.layers,
    crs: crs ?? '',
    scope: typeof scope === 'string' ? scope : '',
    publish: publish ?? 'review',
    more: '',
    rest: {
      ...rest,
      // What the form does not show of the attributes.
      ...(attributes.planned_date === undefined
        ? {}
        : { attributes: { planned_date: attributes.planned_date } }),
    },
  };
}

/** One colour on nothing is where there is coverage; of several, each may mean something else. */
function hasSeveral({ singles, ranges }: PixelTable): boolean {
  return singles.length + ranges.length > 1;
}

type AttributeUse = NonNullable<Manifest['attributes']>[SpeedField | 'technology'];

function asUse(use: AttributeUse): { field: string; unit?: SpeedUnit } | undefined {
  if (!use) return undefined;
  return typeof use === 'string' ? { field: use } : use;
}

function meaningOf(key: string, meaning: Meaning): ClassMeaning {
  return {
    key,
    coverage: meaning.coverage ?? true,
    download: meaning.speeds?.bandwidth_max_mbps,
    upload: meaning.speeds?.bandwidth_up_max_mbps,
  };
}

/** Rows for the texts of a field; those that are there already keep what was said of them. */
export function textMeanings(values: readonly string[], before: readonly ClassMeaning[]): ClassMeaning[] {
  return values.map((text) => before.find(({ key }) => key === text) ?? meaningOf(text, {}));
}

/** The manifest that says it. */
export function toManifest(description: Description, inspection: Inspection | null | undefined): Manifest {
  const { technology, technologyFromFile, availability, availabilityFromFile, plannedDate } = description;
  const said: Manifest = inspection?.manifest ?? {};
  const attributes: NonNullable<Manifest['attributes']> = { ...description.rest.attributes };
  if (technologyFromFile && said.attributes?.technology) attributes.technology = said.attributes.technology;
  if (availabilityFromFile && said.attributes?.availability)
    attributes.availability = said.attributes.availability;
  else if (attributes.planned_date && availability === 'available') attributes.planned_date = null;
  const speeds: Speeds = {};
  for (const field of speedFields) {
    const use = said.attributes?.[field];
    if (description.speedsBy !== 'field') {
      // Not asked for then, and where the words or colours leave a speed open, the file's own still counts.
      if (use !== undefined) attributes[field] = use;
      continue;
    }
    const source = description.speeds[field];
    if (source.from === 'attribute') {
      attributes[field] = { field: source.field, ...(source.unit ? { unit: source.unit } : {}) };
      continue;
    }
    if (source.mbps !== undefined) speeds[field] = source.mbps;
    // Without this, a field of a well-known name would be used all the same.
    if (use) attributes[field] = null;
  }
  const questions = questionsOf(inspection);
  const { attributes: _shown, ...rest } = description.rest;
  return {
    ...rest,
    ...(description.provider ? { provider: description.provider } : {}),
    ...(technologyFromFile || !technology ? {} : { technology }),
    ...(availabilityFromFile ? {} : { availability }),
    ...(plannedDate && availability !== 'available' && !availabilityFromFile
      ? { planned_date: plannedDate }
      : {}),
    ...(Object.keys(speeds).length > 0 ? { speeds } : {}),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    ...(description.speedsBy === 'text' && description.textField
      ? {
          tiers: {
            field: description.textField,
            values: Object.fromEntries(description.texts.map((one) => [one.key, toMeaning(one)])),
          },
        }
      : {}),
    ...(description.speedsBy === 'pixels' ? { classes: toClasses(description.pixels) } : {}),
    ...(description.sieve === undefined ? {} : { sieve: description.sieve }),
    ...(description.layers.length > 0 && description.layers.length < questions.layers.length
      ? { layers: description.layers }
      : {}),
    ...(description.crs ? { crs: description.crs } : {}),
    ...(description.scope.trim() ? { scope: description.scope.trim() } : {}),
    ...(description.isTowers ? { processed_by: 'service' as const } : {}),
    publish: description.publish,
    ...parseMore(description.more),
  };
}

/** The object that a text says as JSON; undefined where it says none. An empty text says nothing, which is fine. */
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

function toMeaning({ coverage, download, upload }: ClassMeaning): Meaning {
  if (!coverage) return { coverage: false };
  return {
    speeds: {
      ...(download === undefined ? {} : { bandwidth_max_mbps: download }),
      ...(upload === undefined ? {} : { bandwidth_up_max_mbps: upload }),
    },
  };
}

export type FormProblems = Partial<
  Record<
    | 'provider'
    | 'technology'
    | 'plannedDate'
    | 'layers'
    | 'crs'
    | 'meanings'
    | 'sieve'
    | 'more'
    | 'towers'
    | SpeedField,
    string
  >
> & {
  /** Of the table of classes, by control. */
  pixels?: TableProblems;
};

/**
 * What has to be corrected before it can be submitted, by the question that it is about.
 * @param isInspected false as long as the file may still say itself what is missing
 */
export function problemsOf(
  description: Description,
  catalog: { today: string; provider: object | null },
  questions: Questions,
  isInspected = true,
): FormProblems {
  const problems: FormProblems = {};
  if (!catalog.provider && !description.provider.trim()) problems.provider = 'Choose an operator.';
  const more = parseMore(description.more);
  if (!more) problems.more = 'This is not JSON in curly brackets. Correct it, or leave it empty.';
  const saysItself = (field: keyof Manifest) => more?.[field] !== undefined;
  if (
    isInspected &&
    !description.technology &&
    !description.technologyFromFile &&
    !saysItself('technology')
  ) {
    problems.technology = 'Choose the technology of this coverage.';
  }
  if (
    description.availability !== 'available' &&
    !description.availabilityFromFile &&
    description.plannedDate
  ) {
    if (description.plannedDate < catalog.today) {
      problems.plannedDate =
        'This day is in the past. If the coverage exists already, choose “Available now”.';
    }
  }
  if (questions.layers.length > 1 && description.layers.length === 0) {
    problems.layers = 'Choose at least one layer.';
  }
  if (questions.needsCrs && !saysItself('crs')) {
    if (!description.crs) problems.crs = 'Choose the coordinate system of the file.';
    else if (!isCrs(description.crs)) problems.crs = 'Enter an EPSG code, such as 2193.';
  }
  const { sieve } = description;
  if (sieve !== undefined && !(Number.isInteger(sieve) && sieve >= 2 && sieve <= 1000)) {
    problems.sieve = 'Enter a whole number of pixels, from 2 to 1,000, or leave this empty.';
  }
  if (questions.hasNoTowers)
    problems.towers = 'No tower in this list can be used. Correct the file and upload it again.';
  if (description.isTowers || (['speeds', 'attributes', 'classes', 'tiers'] as const).some(saysItself))
    return problems;
  if (description.speedsBy === 'field')
    Object.assign(problems, speedProblems(description.speeds, questions, isInspected));
  else if (description.speedsBy === 'text') {
    if (description.texts.some(({ coverage, download }) => coverage && !download)) {
      problems.meanings = 'Enter the download speed of each, or that it is no coverage.';
    }
  } else {
    const found = tableProblems(description.pixels, catalog.today);
    if (Object.keys(found).length > 0) problems.pixels = found;
  }
  return problems;
}

/** A code of the EPSG register, or a definition in WKT. */
function isCrs(text: string): boolean {
  return /^EPSG:\d{4,6}$/.test(text) || text.includes('[');
}

function speedProblems(
  speeds: Description['speeds'],
  { speedsMissing }: Questions,
  isInspected: boolean,
): FormProblems {
  const problems: FormProblems = {};
  const numberOf = (field: SpeedField) => {
    const source = speeds[field];
    return source.from === 'number' ? source.mbps : undefined;
  };
  // A field of the file that says the download may say the upload, too, as in "100/20".
  const isSaid = (field: SpeedField) =>
    field === 'bandwidth_up_max_mbps' &&
    !speedsMissing.includes(field) &&
    speeds.bandwidth_max_mbps.from === 'attribute';
  for (const field of asked) {
    if (
      !isInspected ||
      speeds[field].from === 'attribute' ||
      numberOf(field) !== undefined ||
      isSaid(field)
    ) {
      continue;
    }
    const what = field === 'bandwidth_max_mbps' ? 'download' : 'upload';
    problems[field] = `Enter the maximum ${what} speed.`;
  }
  for (const [least, most] of [
    ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
    ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
  ] as const) {
    const [min, max] = [numberOf(least), numberOf(most)];
    if (min !== undefined && max !== undefined && min > max) {
      problems[least] = 'This is above the maximum. Swap the two, or leave this one empty.';
    }
  }
  for (const field of speedFields) {
    const mbps = numberOf(field);
    if (mbps !== undefined && (mbps < 0 || mbps > 1_000_000)) {
      problems[field] = 'Enter a speed in Mbps, from 0 to 1,000,000.';
    } else if (mbps === 0 && asked.includes(field)) {
      problems[field] = 'Enter a speed above 0: without one there is no coverage.';
    }
  }
  return problems;
}
