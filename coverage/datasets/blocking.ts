import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CodedMessage } from '../../platform/schemas.ts';
import type { PremisesChange } from './premises-change.ts';
import { coverageName, type PremisesState } from './scopes.ts';

/** The areas of a dataset and of the one that it replaces. Overlapping pieces count once. */
export const differences = {
  gained_km2: z.number(),
  lost_km2: z.number().describe('The live area of the same scope that would be lost.'),
  unchanged_km2: z.number(),
  still_covered_km2: z
    .number()
    .describe('The part of `lost_km2` that another live scope covers with at least the same availability.'),
  downgraded_km2: z
    .number()
    .describe('The part of `unchanged_km2` that is available now and would no longer be.'),
};

/** The difference between coverage and the published coverage of its scope, in km2 on the ellipsoid. */
export type CoverageChange = z.output<z.ZodObject<typeof differences>>;

/** A message that has to be confirmed before a submission is published. */
export type Blocking = CodedMessage;

export interface BlockingRules {
  /** The max loss of a published coverage's premises, or of its area where it has none, in percent. */
  lostPercent: number;
  /** Codes of warnings, beside {@link alwaysBlocking}. */
  warnings: readonly string[];
}

/** Warnings that always have to be confirmed: they may mean wrong answers everywhere. */
const alwaysBlocking: readonly string[] = [
  ...['covers_most_of_area', 'much_clipped', 'much_dropped', 'pixels_without_class', 'read_with_errors'],
  ...['reference_system_uncertain', 'crosses_antimeridian', 'crs_not_used', 'dbf_missing'],
  ...['link_missing', 'overlay_unusable', 'reference_outside', 'geopackage_open', 'speeds_implausible'],
  ...['technology_contradicts', 'availability_contradicts', 'planned_date_contradicts', 'speeds_contradicts'],
  ...['provider_contradicts', 'wholesale_network_contradicts', 'planned_date_past', 'speeds_unclear'],
  ...['speeds_may_be_codes'],
  ...['dropped_area_unknown', 'repair_lost_area', 'header_assumed', 'raster_longer'],
  ...['reference_systems_differ', 'positions_differ'],
  ...['service_sent_a_part', 'change_unknown', 'terrain_unknown', 'clutter_unknown', 'area_far_larger'],
  ...['attributes_not_read', 'no_coverage_over_coverage'],
];

/** A dataset to publish. */
export interface Candidate {
  id: number;
  technology: string;
  scope: string;
  /** True where it was compared with everything that is published now. */
  is_compared: boolean;
  /** The dataset with which it was compared; null: nothing was published. */
  compared_with: number | null;
  /** Null where nothing was published, or the difference is not known. */
  change: CoverageChange | null;
  premises_state: PremisesState;
  /** Of what it was compared with, where it is `counted`. */
  premises_change: PremisesChange | null;
  /** Of one that is made again for exclusions: what they take from the published one. Null for all others. */
  excluded_km2: number | null;
}

/**
 * The basis of a publisher's decision. Publishers name `comparison` to confirm it: it identifies the datasets, those they replace, the loss and the
 * blocking messages. Null until everything has been compared with the coverage that is published now.
 */
export interface Verdict {
  comparison: string | null;
  blocking: Blocking[];
}

/** The effect of publishing a submission now, for every publication and view. @param datasets those to publish @param warnings of its report */
export function judge(datasets: readonly Candidate[], warnings: readonly Blocking[], rules: BlockingRules) {
  const current = datasets.filter(({ is_compared }) => is_compared);
  const unknown = current.filter(
    ({ change, premises_state, compared_with }) =>
      compared_with !== null && (change === null || premises_state === 'unknown'),
  );
  const change = current.flatMap(({ technology, scope, change, excluded_km2, ...dataset }) =>
    change ? [{ technology, scope, ...change, excluded_km2, premises: countedChange(dataset) }] : [],
  );
  // A warning that the change is unknown is about the comparison when the file was loaded.
  const others = warnings.filter(({ code }) => code !== 'change_unknown');
  const blocking = blockingOf({ change, warnings: [...others, ...unknown.map(changeUnknown)] }, rules);
  if (current.length < datasets.length) return { comparison: null, blocking };
  const shown = [...datasets]
    .sort((a, b) => a.id - b.id)
    .map(({ id, compared_with, change, excluded_km2, ...dataset }) => {
      const premises = countedChange(dataset);
      return [
        id,
        compared_with,
        change && lossOf(change, excluded_km2),
        ...(premises ? [lossOfPremises(premises)] : []),
      ];
    });
  const digest = createHash('sha256').update(JSON.stringify([shown, blocking]));
  return { comparison: digest.digest('base64url').slice(0, 22), blocking };
}

/** The change in premises; undefined unless it is counted. */
export function countedChange(dataset: Pick<Candidate, 'premises_state' | 'premises_change'>) {
  return (dataset.premises_state === 'counted' && dataset.premises_change) || undefined;
}

/** A change by publishing a dataset. */
type NamedChange = CoverageChange & {
  technology: string;
  scope?: string;
  premises?: PremisesChange | undefined;
  /** As of a {@link Candidate}. */
  excluded_km2?: number | null;
};

/** The messages to confirm before publication: a large loss, and serious warnings. */
export function blockingOf(
  report: { change: readonly NamedChange[]; warnings: readonly Blocking[] },
  rules: BlockingRules,
): Blocking[] {
  const lost = report.change.flatMap((change) => largeLoss(change, rules) ?? []);
  const warned = report.warnings.filter(
    ({ code }) => alwaysBlocking.includes(code) || rules.warnings.includes(code),
  );
  return [...lost, ...warned.map(({ code, message }) => ({ code, message }))];
}

/** The codes of losses. */
export const lossCodes: readonly string[] = ['premises_lost', 'area_lost'];

/** A loss of more than is allowed: of premises where the published coverage has any, else of its area. */
function largeLoss(
  { technology, scope = '', premises, excluded_km2 = null, ...change }: NamedChange,
  { lostPercent }: BlockingRules,
): Blocking | undefined {
  const area = lossOf(change, excluded_km2);
  const ofPremises = premises && lossOfPremises(premises);
  // What exclusions take is known by its area.
  const counts = excluded_km2 === null && ofPremises !== undefined && ofPremises.before > 0;
  const allowed = excluded_km2 === null ? lostPercent : Math.min(lostPercent, remadePercent);
  const { percent } = counts ? ofPremises : area;
  if (percent <= allowed) return undefined;
  const share = `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
  const published = `the published ${coverageName({ technology, scope })}`;
  const lost = `${number(area.lost_km2)} km2`;
  const rule = `more than the ${allowed}% allowed without review`;
  if (!counts)
    return { code: 'area_lost', message: `${share} of ${published} would be lost (${lost}): ${rule}.` };
  const many = `${number(ofPremises.lost)} of ${number(ofPremises.before)} premises (${share})`;
  const what = ofPremises.planned > 0 ? 'lose service, or be planned no longer' : 'lose service';
  return { code: 'premises_lost', message: `${many} of ${published} would ${what} (${lost}): ${rule}.` };
}

const number = (value: number) => value.toLocaleString('en-NZ', { maximumFractionDigits: 2 });

/** The premises that lose what they have or wait for, of those that the published coverage of the scope reaches. */
function lossOfPremises({ before, planned_before, lost, planned_lost }: PremisesChange) {
  const [all, gone] = [before + planned_before, lost + planned_lost];
  return { lost: gone, planned: planned_lost, before: all, percent: all > 0 ? 100 * (gone / all) : 0 };
}

/** What is made again for exclusions loses nothing else. In percent, for differences of the arithmetic. */
const remadePercent = 0.1;
/** Areas of a comparison are rounded to this. */
const roundedKm2 = 0.001;

/** The loss for lookups: ground without any coverage, or no longer available. In percent of the published coverage of the scope. */
function lossOf(change: CoverageChange, excludedKm2: number | null): { lost_km2: number; percent: number } {
  const { lost_km2, unchanged_km2, still_covered_km2, downgraded_km2 } = change;
  const before = lost_km2 + unchanged_km2;
  const all = Math.max(0, lost_km2 - still_covered_km2) + downgraded_km2;
  const lost = excludedKm2 === null ? all : Math.max(0, all - excludedKm2 - roundedKm2);
  // The quotient first: for equal areas it is exactly 1, so the loss is not more than 100 %.
  return { lost_km2: Math.round(lost * 1000) / 1000, percent: before > 0 ? 100 * (lost / before) : 0 };
}

/** The warning that gains and losses could not be determined. */
function changeUnknown(coverage: Candidate): Blocking {
  const message = `The changes from the published ${coverageName(coverage)} could not be determined.`;
  return { code: 'change_unknown', message };
}
