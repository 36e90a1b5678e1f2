import type { TierDefinition } from '../core/coverage/datasets.ts';
import {
  greatestSpeedMbps,
  type Manifest,
  type SpeedField,
  speedFields,
  type speedUnits,
} from '../core/coverage/manifest.ts';
import { IngestError } from './errors.ts';
import type { DropReason, SourceFeature, SourceLayer } from './read/format.ts';

/** What the manifest says about speeds and availability: all that this step needs of it. */
export type TierRules = Pick<Manifest, 'availability' | 'planned_date' | 'speeds' | 'attributes'>;

/** Which field of a layer each speed is read from, and how it becomes Mbps. */
type Mapping = Partial<Record<SpeedField, { field: number; factor: number }>>;

const mbpsPerUnit: Record<(typeof speedUnits)[number], number> = { kbps: 0.001, mbps: 1, gbps: 1000 };

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** What a feature offers, or why it cannot be told. */
export type TierOfFeature = { tier: TierDefinition; speedsAbsent: SpeedField[] } | { dropped: DropReason };

/**
 * Prepares reading the tier of a layer's features. This is the place where attributes of every vector format become
 * what the service knows.
 *
 * A speed comes from the attribute that the manifest names for it, or where that is empty or none is named, from the
 * manifest's own speeds. A minimum that is in neither is the maximum. A maximum that is in neither is reported; it is
 * taken to be the minimum, or 0 where there is none either.
 * @throws IngestError `attribute_not_found`
 */
export function tierReader(layer: SourceLayer, rules: TierRules): (feature: SourceFeature) => TierOfFeature {
  const mapping = mapFields(layer, rules);
  return (feature) => {
    const given: Partial<Record<SpeedField, number>> = {};
    for (const name of speedFields) {
      const source = mapping[name];
      const text = source ? feature.attributes.text(source.field) : null;
      if (source && text !== null) {
        const value = decimalNumber.test(text) ? Number(text) : Number.NaN;
        if (Number.isNaN(value)) return { dropped: 'speed_not_a_number' };
        given[name] = round(value * source.factor);
      } else if (rules.speeds[name] !== undefined) {
        given[name] = round(rules.speeds[name]);
      }
    }
    const speedsAbsent = (['bandwidth_max_mbps', 'bandwidth_up_max_mbps'] as const).filter(
      (name) => given[name] === undefined,
    );
    const max = given.bandwidth_max_mbps ?? given.bandwidth_min_mbps ?? 0;
    const upMax = given.bandwidth_up_max_mbps ?? given.bandwidth_up_min_mbps ?? 0;
    const min = given.bandwidth_min_mbps ?? max;
    const upMin = given.bandwidth_up_min_mbps ?? upMax;
    if (
      !(
        min >= 0 &&
        min <= max &&
        max <= greatestSpeedMbps &&
        upMin >= 0 &&
        upMin <= upMax &&
        upMax <= greatestSpeedMbps
      )
    ) {
      return { dropped: 'speed_out_of_range' };
    }
    return {
      tier: {
        availability: rules.availability,
        bandwidth_min_mbps: min,
        bandwidth_max_mbps: max,
        bandwidth_up_min_mbps: upMin,
        bandwidth_up_max_mbps: upMax,
        planned_date: rules.planned_date ?? null,
      },
      speedsAbsent,
    };
  };
}

/** The same text for the same tier. */
export function tierKey(tier: TierDefinition): string {
  return [
    tier.availability,
    tier.bandwidth_min_mbps,
    tier.bandwidth_max_mbps,
    tier.bandwidth_up_min_mbps,
    tier.bandwidth_up_max_mbps,
    tier.planned_date,
  ].join();
}

function mapFields(layer: SourceLayer, rules: TierRules): Mapping {
  const mapping: Mapping = {};
  for (const name of speedFields) {
    const wanted = rules.attributes[name];
    if (!wanted) continue;
    const field = layer.fields.findIndex(
      (candidate) => candidate.toLowerCase() === wanted.field.toLowerCase(),
    );
    if (field < 0) {
      throw new IngestError(
        'attribute_not_found',
        `The layer ${layer.name} has no attribute "${wanted.field}".`,
        layer.fields.length > 0 ? `It has ${layer.fields.join(', ')}.` : 'It has no attributes at all.',
      );
    }
    mapping[name] = { field, factor: mbpsPerUnit[wanted.unit] };
  }
  return mapping;
}

/** To the three decimals that are stored. */
function round(mbps: number): number {
  return Math.round(mbps * 1000) / 1000;
}
