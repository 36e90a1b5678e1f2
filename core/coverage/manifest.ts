import { z } from 'zod';
import { CovermapError } from '../errors.ts';

export const availabilities = ['available', 'underway', 'planned'] as const;
export type Availability = (typeof availabilities)[number];

export const wholesaleKinds = ['Yes', 'No', 'Both'] as const;
export type WholesaleNetwork = (typeof wholesaleKinds)[number];

export const speedFields = [
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
] as const;
export type SpeedField = (typeof speedFields)[number];

export const speedUnits = ['kbps', 'mbps', 'gbps'] as const;

/** The upper bound that the schema has for a speed, too. */
export const greatestSpeedMbps = 1_000_000;

/** A calendar date that exists, as YYYY-MM-DD. */
export const calendarDate = z
  .string()
  .refine(
    (value) => /^[12]\d{3}-\d{2}-\d{2}$/.test(value) && isoDate(value) === value,
    'must be a date like 2027-03-31',
  );

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is here to refuse
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters');

const provider = z.strictObject({
  name,
  url: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(''))
    .optional(),
  wholesale_network: z.enum(wholesaleKinds).optional(),
  description: z.string().max(2000).optional(),
  area_served: z.array(name).max(100).optional(),
});

const speed = z.number().min(0).max(greatestSpeedMbps);

const attribute = z.union([
  name.transform((field) => ({ field, unit: 'mbps' as const })),
  z.strictObject({ field: name, unit: z.enum(speedUnits).default('mbps') }),
]);

const manifest = z
  .strictObject({
    /** A name alone leaves what is known of the provider as it is. */
    provider: z.union([name.transform((value) => ({ name: value })), provider]),
    technology: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a technology such as fibre or wireless'),
    availability: z.enum(availabilities).default('available'),
    planned_date: calendarDate.optional(),
    /** Speeds of every area whose attributes name none. */
    speeds: z.strictObject(bySpeedField(speed.optional())).default({}),
    /** Which field of the file holds which speed. */
    attributes: z.strictObject(bySpeedField(attribute.optional())).default({}),
    /** The layers to read; all layers of areas where absent. */
    layers: z.array(name).min(1).optional(),
    /** The reference system of a file that names none: `EPSG:2193`, or a definition in WKT. */
    crs: z.string().min(1).max(65536).optional(),
    publish: z.enum(['auto', 'review']).default('review'),
  })
  .superRefine((value, context) => {
    if (value.planned_date !== undefined && value.availability === 'available') {
      context.addIssue({
        code: 'custom',
        path: ['planned_date'],
        message: 'is for planned or underway coverage; this is available',
      });
    }
    for (const [least, most] of [
      ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
      ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
    ] as const) {
      const [min, max] = [value.speeds[least], value.speeds[most]];
      if (min !== undefined && max !== undefined && min > max) {
        context.addIssue({ code: 'custom', path: ['speeds', least], message: `is above ${most}` });
      }
    }
  });

/** What an operator says about a file. */
export type Manifest = z.output<typeof manifest>;
export type ManifestInput = z.input<typeof manifest>;
export type ProviderDescription = Manifest['provider'];

/**
 * Checks a manifest and fills in its defaults.
 * @throws CovermapError `manifest_invalid`, naming every field that is wrong
 */
export function parseManifest(input: unknown): Manifest {
  const parsed = manifest.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = innermost(parsed.error.issues).map(
    ({ path, message }) => `${path.join('.') || 'manifest'}: ${message}`,
  );
  throw new CovermapError(
    'manifest_invalid',
    `The description of the file is not usable. ${problems.join('; ')}.`,
    'Correct these and hand the file in again.',
  );
}

type Issue = z.core.$ZodIssue;

/** Replaces "none of the forms fits" by what is wrong with the form that was meant: the one that fits furthest. */
function innermost(issues: readonly Issue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const depth = (form: readonly Issue[]) => Math.max(...form.map(({ path }) => path.length));
    const wrongType = (form: readonly Issue[]) =>
      form.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
    const forms = [...issue.errors].sort(
      (a, b) => Number(wrongType(a)) - Number(wrongType(b)) || depth(b) - depth(a),
    );
    return innermost(forms[0] as readonly Issue[]).map(({ path, message }) => ({
      path: [...issue.path, ...path],
      message,
    }));
  });
}

function bySpeedField<T>(schema: T): Record<SpeedField, T> {
  return {
    bandwidth_min_mbps: schema,
    bandwidth_max_mbps: schema,
    bandwidth_up_min_mbps: schema,
    bandwidth_up_max_mbps: schema,
  };
}

function isoDate(value: string): string | undefined {
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
