import type { TierDefinition } from '../core/coverage/datasets.ts';
import type { DropReason, Warning } from './read/format.ts';

/** What was made of a file. Stored with its submission. */
export interface IngestReport {
  layers: LayerReport[];
  features: {
    read: number;
    loaded: number;
    /** Loaded, after their geometry was mended. */
    repaired: number;
    /** Loaded, without the part outside the service area. */
    clipped: number;
    dropped: Partial<Record<DropReason, number>>;
  };
  vertices: number;
  /** Rows that lookups read: features are cut into pieces of few vertices. */
  rows: number;
  /** On the ellipsoid. Where features overlap, each counts. */
  area_km2: number;
  /** west, south, east, north */
  bbox: [number, number, number, number] | null;
  tiers: (TierDefinition & { area_km2: number; rows: number })[];
  warnings: Warning[];
  seconds: number;
}

export interface LayerReport {
  name: string;
  format: string;
  reference_system: string;
  encoding?: string;
  attributes: string[];
  features: number;
}

const dropReasons: Record<DropReason, string> = {
  no_geometry: 'without geometry',
  not_a_polygon: 'that are points or lines',
  no_area: 'without an area',
  sliver: 'narrower than the data is precise',
  duplicate: 'that are there twice',
  coordinates_not_finite: 'with coordinates that are not numbers',
  too_many_vertices: 'with more vertices than are accepted',
  deleted: 'marked as deleted',
  value_not_listed: 'with a value that the manifest does not list',
  technology_unknown: 'with a technology that is not known',
  availability_unknown: 'with an availability that is not known',
  date_not_a_date: 'with a date that is not one',
  speed_not_a_number: 'with a speed that is not a number',
  speed_out_of_range: 'with a speed below 0, or a minimum above its maximum',
  outside_service_area: 'outside the service area',
  not_repairable: 'with geometry that could not be repaired, or not in time',
  crosses_itself_too_often: 'whose outline crosses itself too often to be coverage',
};

/** The report as a person reads it. */
export function reportText(report: IngestReport): string {
  const { features } = report;
  const lines = report.layers.map(
    (layer) =>
      `Layer ${layer.name}: ${layer.format}, ${layer.reference_system}${layer.encoding ? `, attributes in ${layer.encoding}` : ''}`,
  );
  lines.push(`Read ${count(features.read, 'feature')}, ${count(report.vertices, 'vertex', 'vertices')}`);
  lines.push(
    `Loaded ${count(features.loaded, 'feature')} as ${count(report.rows, 'row')} in ${report.seconds.toFixed(1)} s`,
  );
  if (features.repaired > 0) lines.push(`  repaired: ${number(features.repaired)}`);
  if (features.clipped > 0) lines.push(`  clipped to the service area: ${number(features.clipped)}`);
  for (const [reason, dropped] of Object.entries(features.dropped)) {
    lines.push(`  dropped: ${number(dropped)} ${dropReasons[reason as DropReason]}`);
  }
  lines.push(`Area ${number(report.area_km2)} km2`);
  for (const tier of report.tiers) {
    const down = range(tier.bandwidth_min_mbps, tier.bandwidth_max_mbps);
    const up = range(tier.bandwidth_up_min_mbps, tier.bandwidth_up_max_mbps);
    const date = tier.planned_date ? ` for ${tier.planned_date}` : '';
    lines.push(
      `  ${tier.availability}${date}, ${down} Mbps down, ${up} Mbps up: ${number(tier.area_km2)} km2`,
    );
  }
  for (const warning of report.warnings) lines.push(`Warning: ${warning.message}`);
  return lines.join('\n');
}

function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

function number(value: number): string {
  return value.toLocaleString('en-NZ', { maximumFractionDigits: 3 });
}

function range(min: number, max: number): string {
  return min === max ? number(max) : `${number(min)} to ${number(max)}`;
}
