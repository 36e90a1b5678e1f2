/*
 * What is said of a file while the form is open, and its way to the manifest. No page in here: the form shows it.
 */

import {
  type AttributeUse,
  type Availability,
  type Catalog,
  type Inspection,
  type Manifest,
  type Meaning,
  type PixelClass,
  type SpeedField,
  type Speeds,
  type SpeedUnit,
  speedFields,
} from '../shared/types.ts';

/** Where one of the four speeds comes from. */
export type SpeedSource =
  | { from: 'number'; mbps: number | undefined }
  | { from: 'attribute'; field: string; unit: SpeedUnit | undefined };

/** What one text of a field, or one class of pixels, stands for. */
export interface ClassMeaning {
  /** As in the manifest: a text, or the pixels. */
  key: string | PixelClass;
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
  pixels: ClassMeaning[];
  layers: string[];
  crs: string;
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
  pixelClasses: PixelClass[];
  needsCrs: boolean;
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
  return {
    attributes,
    examples,
    layers: layers.map(({ name }) => name),
    textFields: attributes.filter((field) => {
      const values = examples[field] ?? [];
      return values.length >= 1 && values.length <= mostTexts && values.some((value) => !isNumeric(value));
    }),
    pixelClasses: layers.flatMap(({ classes }) => classes ?? []).slice(0, mostTexts),
    speedsMissing: inspection?.speeds_missing ?? asked,
    needsCrs: inspection?.kind === 'coverage' && layers.some((layer) => layer.reference_system === null),
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
    layers,
    crs,
    ...rest
  } = manifest;
  const pixelClasses = classes ?? questions.pixelClasses;
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
    speedsBy: tiers ? 'text' : pixelClasses.length > 0 ? 'pixels' : 'field',
    speeds: {
      bandwidth_min_mbps: source('bandwidth_min_mbps'),
      bandwidth_max_mbps: source('bandwidth_max_mbps'),
      bandwidth_up_min_mbps: source('bandwidth_up_min_mbps'),
      bandwidth_up_max_mbps: source('bandwidth_up_max_mbps'),
    },
    textField: tiers?.field ?? '',
    texts: tiers ? Object.entries(tiers.values).map(([text, meaning]) => meaningOf(text, meaning)) : [],
    pixels: pixelClasses.map((one) => meaningOf(one, one)),
    layers: layers ?? questions.layers,
    crs: crs ?? '',
    publish: 'review',
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

function asUse(use: AttributeUse | undefined): { field: string; unit?: SpeedUnit } | undefined {
  if (!use) return undefined;
  return typeof use === 'string' ? { field: use } : use;
}

function meaningOf(key: string | PixelClass, meaning: Meaning): ClassMeaning {
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
  const said = inspection?.manifest ?? {};
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
            values: Object.fromEntries(description.texts.map((one) => [one.key as string, toMeaning(one)])),
          },
        }
      : {}),
    ...(description.speedsBy === 'pixels'
      ? {
          classes: description.pixels.map((one) => ({
            ...pixelsOf(one.key as PixelClass),
            ...toMeaning(one),
          })),
        }
      : {}),
    ...(description.layers.length > 0 && description.layers.length < questions.layers.length
      ? { layers: description.layers }
      : {}),
    ...(description.crs ? { crs: description.crs } : {}),
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

/** Which pixels, without what they stand for. */
function pixelsOf({ colour, value, min, max, tolerance }: PixelClass & { tolerance?: number }): PixelClass {
  return Object.fromEntries(
    Object.entries({ colour, tolerance, value, min, max }).filter(([, given]) => given !== undefined),
  );
}

export type FormProblems = Partial<
  Record<
    'provider' | 'technology' | 'plannedDate' | 'layers' | 'crs' | 'meanings' | 'more' | SpeedField,
    string
  >
>;

/** What has to be mended before it can be handed in, by the question that it is about. */
export function problemsOf(
  description: Description,
  catalog: Pick<Catalog, 'today' | 'provider'>,
  questions: Questions,
): FormProblems {
  const problems: FormProblems = {};
  if (!catalog.provider && !description.provider.trim()) problems.provider = 'Say whose coverage this is.';
  const more = parseMore(description.more);
  if (!more) problems.more = 'This is not JSON in curly brackets. Correct it, or leave it empty.';
  const saysItself = (field: string) => more?.[field] !== undefined;
  if (!description.technology && !description.technologyFromFile && !saysItself('technology')) {
    problems.technology = 'Choose the technology of this coverage.';
  }
  if (
    description.availability !== 'available' &&
    !description.availabilityFromFile &&
    description.plannedDate
  ) {
    if (description.plannedDate < catalog.today) {
      problems.plannedDate =
        'This day is in the past. If the coverage is there already, choose “Available now”.';
    }
  }
  if (questions.layers.length > 1 && description.layers.length === 0) {
    problems.layers = 'Choose at least one layer.';
  }
  if (description.isTowers || ['speeds', 'attributes', 'classes', 'tiers'].some(saysItself)) return problems;
  if (description.speedsBy === 'field') Object.assign(problems, speedProblems(description.speeds, questions));
  else {
    const rows = description.speedsBy === 'text' ? description.texts : description.pixels;
    if (rows.some(({ coverage, download }) => coverage && download === undefined)) {
      problems.meanings = 'Say the download speed of each, or that it is no coverage.';
    }
  }
  return problems;
}

function speedProblems(speeds: Description['speeds'], { speedsMissing }: Questions): FormProblems {
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
    if (speeds[field].from === 'attribute' || numberOf(field) !== undefined || isSaid(field)) continue;
    const what = field === 'bandwidth_max_mbps' ? 'download' : 'upload';
    problems[field] = `Say how fast the ${what} is at most.`;
  }
  for (const [least, most] of [
    ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
    ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
  ] as const) {
    const [min, max] = [numberOf(least), numberOf(most)];
    if (min !== undefined && max !== undefined && min > max) {
      problems[least] = 'This is more than the fastest. Swap the two, or leave this one out.';
    }
  }
  for (const field of speedFields) {
    const mbps = numberOf(field);
    if (mbps !== undefined && (mbps < 0 || mbps > 1_000_000)) {
      problems[field] = 'Say it in megabits a second: a number from 0 to 1,000,000.';
    }
  }
  return problems;
}
