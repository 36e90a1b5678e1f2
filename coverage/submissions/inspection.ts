import { z } from 'zod';
import { ReferenceSystemChoice } from '../../platform/error-report.ts';
import { codedMessage, named } from '../../platform/schemas.ts';
import { attributeSubjects, availabilities } from '../offer.ts';
import { speedFields } from '../speeds.ts';
import { submissionKinds } from '../submission-states.ts';
import { GivenManifest } from './manifest.ts';
import { MappedAttribute } from './report.ts';

/* The contents of a file, for the form that describes it before it is submitted. */

/** The share of all counted pixels, 0 to 1. */
const share = () => z.number();

const countedPixels = {
  counted: z.int().describe('The pixels counted; a sample if fewer than `total`.'),
  total: z.int(),
  empty: share().describe('The share that is transparent or has no data.'),
};
const valueShares = () => z.array(z.object({ value: z.number(), share: share() }));

export const ValueSummary = named('ValueSummary', {
  kind: z.literal('values'),
  ...countedPixels,
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** The likely unit of the values; null where none is likely. */
  unit: z.literal('dBm').nullable(),
  values: valueShares().nullable().describe('Null if there are more than 20.'),
  histogram: z
    .object({ from: z.number(), step: z.number(), shares: z.array(share()) })
    .nullable()
    .describe('Bin i holds values from `from + i * step` up to the next bin.'),
  doubtful: valueShares().describe('Outliers that may stand for no data.'),
});
export type ValueSummary = z.output<typeof ValueSummary>;

export const ColourSummary = named('ColourSummary', {
  kind: z.literal('colours'),
  ...countedPixels,
  colours: z
    .array(z.object({ colour: z.string(), tolerance: z.int(), share: share() }))
    .describe('Most frequent first; similar colours are merged.'),
  others: share().describe('The share of the colours that are not listed.'),
});
export type ColourSummary = z.output<typeof ColourSummary>;

/** The contents of a raster's pixels. */
export const PixelSummary = named(
  'PixelSummary',
  z.discriminatedUnion('kind', [ValueSummary, ColourSummary]),
);
export type PixelSummary = z.output<typeof PixelSummary>;

/** An unused attribute that may describe the offer. */
export const AttributeQuestion = named('AttributeQuestion', {
  about: z.enum(attributeSubjects),
  attribute: z.string().nullable().describe('Null: the names of layers.'),
  values: z.array(z.string()).describe('Texts that would be ignored.'),
  numbers: z
    .object({ attribute: z.string(), values: z.array(z.string()) })
    .describe(
      'Numbers taken for speeds that may be codes: each stands beside the text of the same position in `values`.',
    )
    .optional(),
});
export type AttributeQuestion = z.output<typeof AttributeQuestion>;

const TextMeaning = named('TextMeaning', {
  technology: z.string().nullable(),
  availability: z
    .enum([...availabilities, 'none'])
    .nullable()
    .describe('`none`: no coverage.'),
});

export const InspectedLayer = named('InspectedLayer', {
  name: z.string(),
  format: z.string(),
  reference_system: z.string().nullable(),
  attributes: z.array(z.string()),
  examples: z.record(z.string(), z.array(z.string())).describe('Sample values, by attribute.'),
  mapping: z.array(MappedAttribute),
  texts: z
    .record(z.string(), z.record(z.string(), TextMeaning))
    .describe('The meanings of the texts of attributes that have few, if named for them; null: not known.')
    .optional(),
  both_directions: z
    .array(z.string())
    .describe('Attributes with texts of both directions, such as "100/20".')
    .optional(),
  pixels: PixelSummary.optional(),
  reference_system_choices: z
    .array(ReferenceSystemChoice)
    .describe(
      'Present if `reference_system` is null, or if nothing of the layer lies in the service area in that system.',
    )
    .optional(),
});
export type InspectedLayer = z.output<typeof InspectedLayer>;

/** The description of an uploaded file by itself. */
export const Inspection = named('Inspection', {
  kind: z.enum(submissionKinds),
  layers: z.array(InspectedLayer),
  /** The file's own answers, as the form's defaults. */
  manifest: GivenManifest,
  speeds_missing: z.array(z.enum(speedFields)).describe('The speeds that no attribute of the file has.'),
  warnings: z.array(codedMessage),
  questions: z
    .array(AttributeQuestion)
    .describe(
      'Attributes that nothing uses and that may say something. The manifest answers: its `attributes` name the attribute, or its `ignore` does.',
    )
    .optional(),
  towers: z
    .object({ count: z.int(), problems: z.array(z.string()) })
    .nullable()
    .describe('For tower data. `problems` describe the rows that cannot be used.'),
});
/** An inspection as a worker writes it. */
export type Inspection = z.input<typeof Inspection>;
