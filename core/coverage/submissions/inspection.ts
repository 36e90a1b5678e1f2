import { z } from 'zod';
import { box, mappedAttribute } from './report.ts';

/* What a file holds, as the form that describes it shows it before the file is submitted. */

/** Of all pixels that were counted, 0 to 1. */
const share = () => z.number();

const countedPixels = {
  counted: z.int().describe('The pixels counted; a sample if fewer than `total`.'),
  total: z.int(),
  empty: share().describe('The share that is transparent or has no data.'),
};
const valueShares = () => z.array(z.object({ value: z.number(), share: share() }));

export const valueSummary = z
  .object({
    kind: z.literal('values'),
    ...countedPixels,
    /** Of the values that are not doubtful. */
    min: z.number().nullable(),
    max: z.number().nullable(),
    /** What the values look like; null where nothing is likely. */
    unit: z.literal('dBm').nullable(),
    values: valueShares().nullable().describe('Null if there are more than 20.'),
    histogram: z
      .object({ from: z.number(), step: z.number(), shares: z.array(share()) })
      .nullable()
      .describe('Bin i holds values from `from + i * step` up to the next bin.'),
    doubtful: valueShares().describe('Outliers that may stand for no data.'),
  })
  .meta({ id: 'ValueSummary' });
export type ValueSummary = z.output<typeof valueSummary>;

export const colourSummary = z
  .object({
    kind: z.literal('colours'),
    ...countedPixels,
    colours: z
      .array(z.object({ colour: z.string(), tolerance: z.int(), share: share() }))
      .describe('Most frequent first; similar colours are merged.'),
    others: share().describe('The share of the colours that are not listed.'),
  })
  .meta({ id: 'ColourSummary' });
export type ColourSummary = z.output<typeof colourSummary>;

/** What the pixels of a raster hold. */
export const pixelSummary = z
  .discriminatedUnion('kind', [valueSummary, colourSummary])
  .meta({ id: 'PixelSummary' });
export type PixelSummary = z.output<typeof pixelSummary>;

/** A reference system that a file may be in. */
export const referenceSystemChoice = z
  .object({
    crs: z.string().describe('For `crs` in the manifest, such as `EPSG:2193`.'),
    name: z.string(),
    bbox: box().describe(
      'Where the file would lie: west, south, east, north, in degrees. Across the 180th meridian, longitudes continue beyond it.',
    ),
    likely: z.boolean().describe('Whether the box touches the service area.'),
  })
  .meta({ id: 'ReferenceSystemChoice' });
export type ReferenceSystemChoice = z.output<typeof referenceSystemChoice>;

export const inspectedLayer = z
  .object({
    name: z.string(),
    format: z.string(),
    reference_system: z.string().nullable(),
    attributes: z.array(z.string()),
    examples: z.record(z.string(), z.array(z.string())).describe('Sample values, by attribute.'),
    mapping: z.array(mappedAttribute),
    pixels: pixelSummary.optional(),
    reference_system_choices: z
      .array(referenceSystemChoice)
      .describe('Present if `reference_system` is null.')
      .optional(),
  })
  .meta({ id: 'InspectedLayer' });
export type InspectedLayer = z.output<typeof inspectedLayer>;
