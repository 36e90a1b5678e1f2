import { shown } from '@covermap/coverage-files/errors.ts';
import { coverageName } from '../../coverage/datasets/scopes.ts';
import type { IngestReport, LayerReport, Problem } from '../../coverage/submissions/report.ts';
import { type DropReason, dropReasons } from '../drop-reasons.ts';

/** For people: "3 without an area". */
export const dropText = (reason: string): string => dropReasons[reason as DropReason] ?? reason;

const howKnown: Record<LayerReport['reference_system_from'], string> = {
  file: 'as the file says',
  format: 'as always in this format',
  manifest: 'as the manifest says',
};

export function problemSentence({ kind, reason, count: total }: Omit<Problem, 'examples'>): string {
  const features = count(total, 'feature');
  const were = total === 1 ? 'was' : 'were';
  if (kind === 'dropped') return `${features} ${dropText(reason)} ${were} dropped.`;
  if (kind === 'clipped') return `${features} ${were} clipped to the service area.`;
  return `${features} ${were} repaired: ${reason}.`;
}

type Figures = Omit<IngestReport, 'text' | 'problems'> & { problems: readonly Problem[] };

export function reportLines(report: Figures): string[] {
  const { features } = report;
  const lines = report.layers.flatMap(layerText);
  lines.push(`Read ${count(features.read, 'feature')}, ${count(report.vertices, 'vertex', 'vertices')}`);
  lines.push(
    `Loaded ${count(features.loaded, 'feature')} as ${count(report.rows, 'row')} in ${report.seconds.toFixed(1)} s`,
  );
  for (const problem of report.problems) lines.push(...problemText(problem));
  lines.push(`Area ${number(report.area_km2)} km2${premisesText(report)}`);
  for (const tier of report.tiers) {
    const down = range(tier.bandwidth_min_mbps, tier.bandwidth_max_mbps);
    const up = range(tier.bandwidth_up_min_mbps, tier.bandwidth_up_max_mbps);
    const date = tier.planned_date ? ` for ${tier.planned_date}` : '';
    lines.push(
      `  ${tier.technology} ${tier.availability}${date}, ${down} Mbps down, ${up} Mbps up: ${number(tier.area_km2)} km2${premisesText(tier)}`,
    );
  }
  if (report.bbox) {
    const [west, south, east, north] = report.bbox.map((value) => value.toFixed(4));
    lines.push(`From ${south}, ${west} to ${north}, ${east} (latitude, longitude)`);
  }
  for (const { exclusion, technology, reason, km2 } of report.excluded ?? [])
    lines.push(`Exclusion ${exclusion} took ${number(km2)} km2 of ${technology}: ${reason}`);
  for (const change of report.change) {
    lines.push(
      `Against the published ${coverageName({ ...change, scope: change.scope ?? '' })}: ${number(change.gained_km2)} km2 gained, ${number(change.lost_km2)} km2 lost`,
    );
    if (change.premises) {
      const { gained, lost, faster, slower, others } = change.premises;
      const left = others && lost > 0 ? `, of which others serve ${number(others.served)}` : '';
      lines.push(
        `  ${count(gained, 'premises', 'premises')} gained, ${number(lost)} lost${left}, ${number(faster)} faster, ${number(slower)} slower`,
      );
    }
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

/** Where premises were counted. */
const premisesText = ({ premises }: { premises?: number | undefined }) =>
  premises === undefined ? '' : `, ${number(premises)} premises`;

const count = (value: number, one: string, many = `${one}s`) =>
  `${number(value)} ${value === 1 ? one : many}`;

const number = (value: number) => value.toLocaleString('en-NZ', { maximumFractionDigits: 3 });

const range = (min: number, max: number) => (min === max ? number(max) : `${number(min)} to ${number(max)}`);
