import { z } from 'zod';
import { CovermapError } from '../../platform/errors.ts';
import { isDate } from '../../platform/nz-time.ts';
import { named } from '../../platform/schemas.ts';
import { issuesOf, problemsOf } from '../../platform/zod-problems.ts';
import { availabilities } from '../offer.ts';
import { name, type ProviderDescription, providerDescription } from '../providers/profile.ts';
import { eachSpeed, maxSpeedMbps, speedRanges, speedUnits } from '../speeds.ts';
import { modellingParameters } from './modelling-parameters.ts';

const calendarDate = z.string().refine(isDate, 'must be a date like 2027-03-31');

const speeds = z.strictObject(eachSpeed(() => z.number().min(0).max(maxSpeedMbps).optional()));

const fieldOrNone = <T extends z.ZodType>(described: T) =>
  z.union([
    // null: no field, even if the file has one with a well-known name.
    z.null(),
    name.transform((field) => ({ field })),
    described,
  ]);

const speedAttribute = fieldOrNone(z.strictObject({ field: name, unit: z.enum(speedUnits).optional() }));

/** A category field, with the meaning of values that are not clear by themselves; null: no coverage. */
const categoryAttribute = <T extends z.ZodType<string>>(meaning: T) =>
  fieldOrNone(z.strictObject({ field: name, values: z.record(z.string(), meaning.nullable()).optional() }));

const technologyName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be a technology such as fibre or wireless');

/** The meaning of a pixel class, or of a value of a field. */
const meaning = {
  /** false: no coverage. */
  coverage: z.boolean().default(true),
  speeds: speeds.default({}),
  technology: technologyName.optional(),
  availability: z.enum(availabilities).optional(),
  planned_date: calendarDate.optional(),
};

const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #ff8800');

export const pixelClass = z
  .strictObject({
    colour: colour.optional(),
    /** The max difference of red, green and blue each, 0 to 255. */
    tolerance: z.number().int().min(0).max(255).optional(),
    value: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    ...meaning,
  })
  .superRefine((value, context) => {
    const issue = issuesOf(context);
    const { colour, tolerance, min, max } = value;
    const ways = [colour, value.value, min ?? max].filter((way) => way !== undefined);
    if (ways.length !== 1) issue([], 'needs one of: colour, value, or min and max');
    if (tolerance !== undefined && colour === undefined) issue(['tolerance'], 'is for a colour');
    if (min !== undefined && max !== undefined && min > max) issue(['min'], 'is above max');
  });

/** The max length of a scope's name, in characters. The database has the same limit. */
const maxScopeLength = 60;

/** The fields of a manifest; {@link parseManifest} adds the rules between them. */
const manifestFields = {
  provider: z
    .union([name.transform((value): ProviderDescription => ({ name: value })), providerDescription])
    .describe('The provider and its profile. A name alone leaves the profile unchanged.'),
  technology: technologyName
    .optional()
    .describe(
      'The technology of every area without one in its attributes. Required unless `attributes` names an attribute for it.',
    ),
  scope: z
    .string()
    .max(4 * maxScopeLength)
    .transform((text) => text.normalize('NFC').trim().replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .max(maxScopeLength)
        .regex(/^\P{C}*$/u, 'must not hold control or invisible characters'),
    )
    .default('')
    .describe(
      'The part of the provider’s coverage that this file holds, such as a region, "planned" or a product. Publishing replaces only the live coverage of the same scope, ignoring case. Empty for coverage without a scope.',
    ),
  availability: z.enum(availabilities).default('available'),
  planned_date: calendarDate.optional(),
  speeds: speeds.default({}).describe('The speeds, in Mbps, of areas whose attributes give none.'),
  attributes: z
    .strictObject({
      ...eachSpeed(() => speedAttribute.optional()),
      technology: categoryAttribute(technologyName).optional(),
      availability: categoryAttribute(z.enum(availabilities)).optional(),
      planned_date: fieldOrNone(z.strictObject({ field: name })).optional(),
    })
    .default({})
    .describe('The attributes of the file that hold speeds, technology, availability and planned date.'),
  ignore: z
    .array(name)
    .max(2000)
    .optional()
    .describe(
      'Attributes that say nothing of the coverage: the file is read as if it did not have them, and nothing is asked about them.',
    ),
  tiers: z
    .strictObject({ field: name, values: z.record(z.string(), z.strictObject(meaning)) })
    .optional()
    .describe('An attribute whose values stand for speeds, such as the folder or style of a KML.'),
  classes: z.array(pixelClass).min(1).max(1000).optional().describe('The pixel classes of a raster.'),
  smoothing: z.boolean().default(false).describe('Whether to smooth the outlines of raster areas.'),
  sieve: z
    .number()
    .int()
    .min(2)
    .max(1000)
    .optional()
    .describe('Raster areas with fewer pixels than this take the class around them.'),
  layers: z.array(name).min(1).optional().describe('The layers to read; all layers with areas by default.'),
  crs: z
    .string()
    .min(1)
    .max(65536)
    .optional()
    .describe(
      'The coordinate reference system, if the file does not name it, or names one in which nothing of it lies in the service area: `EPSG:2193`, or a definition in WKT.',
    ),
  publish: z
    .enum(['auto', 'review'])
    .default('review')
    .describe('Whether to publish automatically after validation, or to review first.'),
  processed_by: z
    .enum(['operator', 'service'])
    .default('operator')
    .describe(
      "Who modelled the coverage. `service` in an operator's manifest: the file holds the towers to model it from.",
    ),
  prediction: modellingParameters
    .optional()
    .describe('How to model coverage from towers; see docs/operator/tower-data.md.'),
};

/** The description of a file: see docs/operator/coverage-files.md. Operators may leave the provider out. */
export const GivenManifest = named(
  'Manifest',
  z.strictObject({ ...manifestFields, provider: manifestFields.provider.optional() }),
);

const manifest = z.strictObject(manifestFields).superRefine((value, context) => {
  const issue = issuesOf(context);
  if (value.technology === undefined && !value.attributes.technology) {
    issue(['technology'], 'is needed, unless an attribute is named for it');
  }
  if (value.planned_date && value.availability === 'available' && !value.attributes.availability) {
    issue(['planned_date'], 'is for planned or underway coverage; this is available');
  }
  if (value.prediction && value.processed_by !== 'service') {
    issue(['prediction'], 'is for tower data, with "processed_by": "service"');
  }
  const used = Object.values(value.attributes).map((one) => one?.field.toLowerCase());
  for (const [i, name] of (value.ignore ?? []).entries()) {
    if ([...used, value.tiers?.field.toLowerCase()].includes(name.toLowerCase()))
      issue(['ignore', i], 'is an attribute that the manifest uses');
  }
  type Offer = Pick<z.output<typeof pixelClass>, 'coverage' | 'speeds' | 'availability'>;
  const requireSpeeds = (path: (string | number)[], { coverage, speeds, availability }: Offer) => {
    const isAvailable = coverage && (availability ?? value.availability) === 'available';
    for (const [lower, upper] of speedRanges) {
      const { [lower]: min, [upper]: max } = speeds;
      if (max === 0 && isAvailable) {
        issue([...path, upper], 'is 0, which is no coverage: give the speed, or leave out what is not known');
      }
      if (min !== undefined && max !== undefined && min > max) issue([...path, lower], `is above ${upper}`);
    }
  };
  requireSpeeds(['speeds'], { coverage: true, speeds: value.speeds });
  for (const [i, meaning] of (value.classes ?? []).entries()) {
    const path = ['classes', i, 'speeds'];
    if (
      meaning.coverage &&
      meaning.speeds.bandwidth_max_mbps === undefined &&
      !value.speeds.bandwidth_max_mbps
    ) {
      issue(path, 'need a bandwidth_max_mbps, here or for all classes in "speeds"');
    }
    requireSpeeds(path, meaning);
  }
  for (const [text, meaning] of Object.entries(value.tiers?.values ?? {})) {
    requireSpeeds(['tiers', 'values', text, 'speeds'], meaning);
  }
});

export type Manifest = z.output<typeof manifest>;
export type ManifestInput = z.input<typeof manifest>;

/** Max values in a manifest, including lists and objects. The largest list of classes takes half of them. */
const maxValues = 20_000;
/**
 * Checks a manifest and fills in its defaults. Ignores `file`, by which a manifest may name the file it describes.
 * @param provider the default provider @throws CovermapError `manifest_invalid`, naming the invalid fields
 */
export function parseManifest(input: unknown, provider?: string): Manifest {
  if (hasMoreValues(input, maxValues)) throw manifestInvalid(`It has more than ${maxValues} values`);
  const { file: _, ...described } = Object(input);
  if (provider !== undefined && described.provider === undefined) described.provider = provider;
  const parsed = manifest.safeParse(isObject(input) ? described : input);
  if (parsed.success) return parsed.data;
  throw manifestInvalid(problemsOf(parsed.error, 'manifest'));
}

function manifestInvalid(problems: string): CovermapError {
  return new CovermapError('manifest_invalid', `The manifest is not valid. ${problems}.`);
}

/** Does not recurse, as the input may be nested without limit. */
function hasMoreValues(input: unknown, max: number): boolean {
  const left: unknown[] = [input];
  for (let count = 0; left.length > 0; count++) {
    if (count + left.length > max) return true;
    const value = left.pop();
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) left.push(one);
  }
  return false;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
