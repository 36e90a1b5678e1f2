import { z } from 'zod';
import type { Config } from '../../platform/config.ts';
import type { CodedMessage } from '../../platform/schemas.ts';
import { eachSpeed } from '../speeds.ts';
import { modellingParameters } from './modelling-parameters.ts';

/* The report of modelled coverage, and its warnings for publishers. */

const share = () => z.number().min(0).max(1);

/** The parameters of modelled coverage, defaults included: numbers, all but the profile, its speeds and the towers. */
const { profile: _, speeds: __, towers: ___, ...numbers } = modellingParameters.shape;
const modelledWith = z.object(
  Object.fromEntries(Object.keys(numbers).map((name) => [name, z.number()])) as Record<
    keyof typeof numbers,
    z.ZodNumber
  >,
);
export type ModelledWith = z.output<typeof modelledWith>;

/** The report of modelled coverage and its sources. */
export const modellingReportFields = {
  model: z.string().describe('With its version: another may give other coverage.'),
  profile: z.string(),
  speeds: z
    .array(z.object({ dbm: z.number(), ...eachSpeed(() => z.number()) }))
    .describe('From each received power on, the strongest first.'),
  parameters: modelledWith.describe('All, with those that are the default.'),
  terrain: z
    .array(z.object({ name: z.string(), resolution_m: z.number() }))
    .describe('The elevation models around the towers, the finest first; at most 100.'),
  clutter: z
    .object({
      classes: z.array(
        z.object({
          class: z.int(),
          name: z.string().nullable(),
          loss_db: z.number().describe('At the height of the receiver.'),
          share: share(),
        }),
      ),
      unlisted_share: share().describe('Ground without a class that the table knows, which counts as open.'),
    })
    .nullable()
    .describe(
      'The land cover that weakens the signal, by its part of all ground with a signal; null: none was used.',
    ),
  picture: z
    .object({
      place: z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }),
      floor_dbm: z.number(),
    })
    .describe(
      'Where the picture of the signal lies, in degrees (WGS 84), its rows even in Web Mercator, and the power at a grey of 0.',
    ),
  unknown_share: share().describe('The part of the surroundings without terrain, which was taken as sea.'),
  areas: z.int().describe('The number of areas.'),
  sites: z.int().describe('Towers of one place, height, frequency and polarisation are one site.'),
  sites_reused: z.int().describe('Sites that had been worked out before, from the same data.'),
  towers: z.array(
    z.object({
      name: z.string().nullable(),
      lat: z.number(),
      lng: z.number(),
      area_km2: z.number().describe('Where its signal is the strongest, whatever the speed.'),
      share: share().describe('The part of all ground with a signal.'),
      unknown_share: share(),
    }),
  ),
};
export type ModellingReport = z.output<z.ZodObject<typeof modellingReportFields>>;

/**
 * Warnings of modelled coverage for its report. `terrain_unknown`, `clutter_unknown` and `area_far_larger` block publication.
 * @param areas of the coverage, and of the live coverage that it would replace, in km2 @param rules percentages above which it waits
 */
export function modellingDoubts(
  { unknown_share, clutter }: ModellingReport,
  { km2, liveKm2 }: { km2: number; liveKm2: number },
  { unknownPercent, grownPercent }: Config['modelling'],
): CodedMessage[] {
  const doubts: CodedMessage[] = [];
  const unknown = (share: number, codes: [waits: string, partly: string], what: string) => {
    const percent = 100 * share;
    if (percent === 0) return;
    const isMuch = percent > unknownPercent;
    const rule = isMuch ? `: more than the ${unknownPercent}% allowed without review` : '';
    const shown = percent < 1 ? 'Less than 1%' : `${percent.toFixed(0)}%`;
    doubts.push({ code: codes[isMuch ? 0 : 1], message: `${shown} of the ground ${what}${rule}.` });
  };
  unknown(
    unknown_share,
    ['terrain_unknown', 'terrain_gaps'],
    'around the towers has no terrain and was taken as sea',
  );
  unknown(
    clutter?.unlisted_share ?? 0,
    ['clutter_unknown', 'clutter_gaps'],
    'with a signal has no class of land cover and counts as open',
  );
  const grown = liveKm2 > 0 ? (100 * km2) / liveKm2 : 0;
  if (grown > grownPercent) {
    const message = `The modelled coverage has ${grown.toFixed(0)}% of the area of the live one: more than the ${grownPercent}% allowed without review.`;
    doubts.push({ code: 'area_far_larger', message });
  }
  return doubts;
}
