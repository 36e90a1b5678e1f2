import { z } from 'zod';
import { box, codedMessage, named } from '../../platform/schemas.ts';
import { differences } from '../datasets/blocking.ts';
import { premisesFields } from '../datasets/premises-change.ts';
import { availabilities } from '../offer.ts';
import { speedFields, speedUnits } from '../speeds.ts';

/* The read, loaded, repaired and dropped features of a file, as stored with the submission and shown. */

const km2 = () => z.number();
const premises = () =>
  z.int().optional().describe('The premises that it covers; absent where there are no addresses.');

/** A feature with a problem. */
export const Example = named('Example', {
  layer: z.string(),
  feature: z.int().describe('The number of the feature in the file.'),
  name: z.string().optional(),
  value: z.string().describe('The value that could not be used.').optional(),
  lat: z.number().optional(),
  lng: z.number().optional(),
});
export type Example = z.output<typeof Example>;

/** Features that were dropped, repaired or clipped for one reason. */
export const Problem = named('Problem', {
  kind: z.enum(['dropped', 'repaired', 'clipped']),
  reason: z.string(),
  text: z.string(),
  count: z.int(),
  examples: z.array(Example).describe('At most ten.'),
});
/** A problem without its sentence. */
export type Problem = Omit<z.output<typeof Problem>, 'text'>;

/** A distinct offer of a file, with its area. */
export const Tier = named('Tier', {
  technology: z.string(),
  availability: z.enum(availabilities),
  bandwidth_min_mbps: z.number(),
  bandwidth_max_mbps: z.number(),
  bandwidth_up_min_mbps: z.number(),
  bandwidth_up_max_mbps: z.number(),
  planned_date: z.iso.date().nullable(),
  area_km2: km2(),
  premises: premises(),
  rows: z.int(),
});

/** The use of an attribute of a layer. */
export const MappedAttribute = named('MappedAttribute', {
  to: z.enum([...speedFields, 'technology', 'availability', 'planned_date', 'tiers']),
  attribute: z.string(),
  unit: z.enum(speedUnits).optional(),
  /** The source of the use: the manifest, a well-known name, or a likely one. */
  from: z.enum(['manifest', 'recognised', 'assumed']),
});
export type MappedAttribute = z.output<typeof MappedAttribute>;

export const ReportedLayer = named('ReportedLayer', {
  name: z.string(),
  format: z.string(),
  reference_system: z.string(),
  /** The source of the reference system: the file, its format's definition, or the manifest. */
  reference_system_from: z.enum(['file', 'format', 'manifest']),
  encoding: z.string().optional(),
  attributes: z.array(z.string()),
  mapping: z.array(MappedAttribute),
  unused: z.array(z.string()).describe('The attributes that were not used.'),
  features: z.int(),
});
export type LayerReport = z.output<typeof ReportedLayer>;

export const reportFields = {
  text: z.array(z.string()).describe('The report as sentences.'),
  features: z.object({
    read: z.int(),
    loaded: z.int(),
    repaired: z.int().describe('Loaded, after their geometry was repaired.'),
    clipped: z.int().describe('Loaded, without what lies outside the service area.'),
    dropped: z.record(z.string(), z.int()).describe('The number of dropped features, by reason.'),
  }),
  problems: z.array(Problem),
  tiers: z.array(Tier).describe('The distinct offers and their areas.'),
  warnings: z.array(codedMessage),
  layers: z.array(ReportedLayer),
  rows: z.int().describe('The rows that lookups read: features with many vertices are subdivided.'),
  vertices: z.int(),
  area_km2: km2().describe('Overlapping areas are counted once for each feature.'),
  premises: premises(),
  bbox: box().nullable().describe('West, south, east, north.'),
  excluded: z
    .array(
      z.object({
        exclusion: z.int(),
        technology: z.string(),
        reason: z.string(),
        km2: km2().describe('Overlapping areas each count.'),
      }),
    )
    .describe('What exclusions took; absent where they took nothing.')
    .optional(),
  change: z
    .array(
      z.object({
        ...{ technology: z.string(), scope: z.string().optional() },
        ...differences,
        premises: z.object(premisesFields).optional().describe('Where addresses were imported.'),
      }),
    )
    .describe(
      'The change from what was live when it was last compared; empty until then. A technology that was not live is absent.',
    ),
  seconds: z.number().describe('How long reading and loading took.'),
};

export type IngestReport = z.output<z.ZodObject<typeof reportFields>>;
