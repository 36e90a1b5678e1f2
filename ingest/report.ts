import type { CoverageChange } from '../core/coverage/datasets/blocking.ts';
import type { TierDefinition } from '../core/coverage/datasets/load.ts';
import { coverageName } from '../core/coverage/datasets/scopes.ts';
import type { MappedAttribute } from './attributes.ts';
import { shown } from './errors.ts';
import type { DropReason, Warning } from './read/format.ts';

/** Stored with the submission. */
export interface IngestReport {
  layers: LayerReport[];
  features: {
    read: number;
    loaded: number;
    /** Loaded, after their geometry was repaired. */
    repaired: number;
    /** Loaded, without what lies outside the service area. */
    clipped: number;
    dropped: Partial<Record<DropReason, number>>;
  };
  /** What was dropped, repaired and clipped, by reason, each with its first features. */
  problems: Problem[];
  vertices: number;
  /** Rows that lookups read: features are subdivided. */
  rows: number;
  /** On the ellipsoid. Where features overlap, each counts. */
  area_km2: number;
  /** west, south, east, north */
  bbox: [number, number, number, number] | null;
  tiers: (TierDefinition & { technology: string; area_km2: number; rows: number })[];
  /** Against what was published of its scope when the file was loaded; a technology is absent where nothing was. */
  change: (CoverageChange & { technology: string; scope?: string })[];
  warnings: Warning[];
  seconds: number;
  /** As text, line by line. */
  text: string[];
}

export interface LayerReport {
  name: string;
  format: string;
  reference_system: string;
  /** Where that is from: the file, its format's definition, the manifest, or only its coordinates. */
  reference_system_from: 'file' | 'format' | 'manifest' | 'assumed';
  encoding?: string;
  attributes: string[];
  /** What the attributes were used for. */
  mapping: MappedAttribute[];
  /** Attributes that were not used. */
  unused: string[];
  features: number;
}

export interface Problem {
  kind: 'dropped' | 'repaired' | 'clipped';
  reason: string;
  /** All of this in words: "3 features without an area were dropped." */
  text?: string;
  count: number;
  examples: Example[];
}

/** One of the features that a problem is with. */
export interface Example {
  layer: string;
  /** The number that the file knows it by. */
  feature: number;
  name?: string;
  /** The text that could not be used. */
  value?: string;
  /** Somewhere on it; absent where it has no place. */
  lat?: number;
  lng?: number;
}

const dropReasons: Record<DropReason, string> = {
  no_geometry: 'without geometry',
  geometry_not_readable: 'with geometry that cannot be read',
  not_a_polygon: 'of points or lines',
  no_area: 'without an area',
  sliver: 'narrower than a centimetre',
  duplicate: 'repeating an earlier one',
  coordinates_not_finite: 'with coordinates that are not numbers',
  too_many_vertices: 'with more vertices than are accepted',
  deleted: 'marked as deleted',
  no_coverage: 'of a class or value that is no coverage',
  value_not_listed: 'with a value that the manifest does not list',
  technology_unknown: 'with a technology that is not known',
  availability_unknown: 'with an availability that is not known',
  speed_not_a_number: 'with a speed that is not a number',
  speed_out_of_range: 'with a speed that is too high, or a minimum above its maximum',
  no_speed: 'of 0 Mbps in both directions, which is no coverage',
  not_on_earth: 'with impossible longitudes or latitudes',
  outside_service_area: 'outside the service area',
  not_repairable: 'with geometry that could not be repaired',
  not_in_time: 'with geometry, or next to geometry, that takes too long to load',
  crosses_itself_too_often: 'whose outline crosses itself too often to be coverage',
};

/** For people: "3 without an area". */
export const dropText = (reason: string): string => dropReasons[reason as DropReason] ?? reason;

const howKnown: Record<LayerReport['reference_system_from'], string> = {
  file: 'as the file says',
  format: 'as always in this format',
  manifest: 'as the manifest says',
  assumed: 'assumed from where its coordinates lie',
};

/** A problem as a sentence. */
export function problemSentence({ kind, reason, count: total }: Omit<Problem, 'text' | 'examples'>): string {
  const features = count(total, 'feature');
  const were = total === 1 ? 'was' : 'were';
  if (kind === 'dropped') return `${features} ${dropText(reason)} ${were} dropped.`;
  if (kind === 'clipped') return `${features} ${were} clipped to the service area.`;
  return `${features} ${were} repaired: ${reason}.`;
}

/** The report as a person reads it. */
export const reportText = (report: Omit<IngestReport, 'text'>) => reportLines(report).join('\n');

/** The lines of a report. */
export function reportLines(report: Omit<IngestReport, 'text'>): string[] {
  const { features } = report;
  const lines = report.layers.flatMap(layerText);
  lines.push(`Read ${count(features.read, 'feature')}, ${count(report.vertices, 'vertex', 'vertices')}`);
  lines.push(
    `Loaded ${count(features.loaded, 'feature')} as ${count(report.rows, 'row')} in ${report.seconds.toFixed(1)} s`,
  );
  for (const problem of report.problems) lines.push(...problemText(problem));
  lines.push(`Area ${number(report.area_km2)} km2`);
  for (const tier of report.tiers) {
    const down = range(tier.bandwidth_min_mbps, tier.bandwidth_max_mbps);
    const up = range(tier.bandwidth_up_min_mbps, tier.bandwidth_up_max_mbps);
    const date = tier.planned_date ? ` for ${tier.planned_date}` : '';
    lines.push(
      `  ${tier.technology} ${tier.availability}${date}, ${down} Mbps down, ${up} Mbps up: ${number(tier.area_km2)} km2`,
    );
  }
  if (report.bbox) {
    const [west, south, east, north] = report.bbox.map((value) => value.toFixed(4));
    lines.push(`From ${south}, ${west} to ${north}, ${east} (latitude, longitude)`);
  }
  for (const change of report.change) {
    lines.push(
      `Against the published ${coverageName({ scope: '', ...change })}: ${number(change.gained_km2)} km2 gained, ${number(change.lost_km2)} km2 lost`,
    );
  }
  for (const warning of report.warnings) lines.push(`Warning: ${warning.message}`);
  // Names come from the file.
  return lines.map(shown);
}

function layerText(layer: LayerReport): string[] {
  const encoding = layer.encoding ? `, attributes in ${layer.encoding}` : '';
  const lines = [
    `Layer ${layer.name}: ${layer.format}, ${layer.reference_system} (${howKnown[layer.reference_system_from]})${encoding}`,
  ];
  for (const { to, attribute, unit, from } of layer.mapping) {
    const how = { manifest: '', recognised: ', known by its name', assumed: ', assumed' }[from];
    lines.push(`  ${to} from ${attribute}${unit ? ` in ${unit}` : ''}${how}`);
  }
  if (layer.unused.length > 0) lines.push(`  not used: ${layer.unused.join(', ')}`);
  return lines;
}

function problemText({ kind, reason, count: total, examples }: Problem): string[] {
  const what =
    kind === 'dropped' ? dropText(reason) : kind === 'clipped' ? 'extending beyond the service area' : reason;
  const places = examples.map(({ layer, feature, name, value, lat, lng }) => {
    const place = lat === undefined || lng === undefined ? '' : ` at ${lat}, ${lng}`;
    return `${layer} ${feature}${name ? ` "${name}"` : ''}${value === undefined ? '' : `: "${value}"`}${place}`;
  });
  const lines = [`  ${kind}: ${number(total)} ${what}`];
  lines.push(...places.map((place) => `    ${place}`));
  if (places.length > 0 && total > places.length) lines.push('    ...');
  return lines;
}

const count = (value: number, one: string, many = `${one}s`) =>
  `${number(value)} ${value === 1 ? one : many}`;

const number = (value: number) => value.toLocaleString('en-NZ', { maximumFractionDigits: 3 });

const range = (min: number, max: number) => (min === max ? number(max) : `${number(min)} to ${number(max)}`);
