import type { ComponentChildren } from 'preact';
import { monthName } from '../../../platform/nz-time.ts';
import type { LedgerEntry } from '../schemas.ts';
import { Facts } from '../ui/facts.tsx';
import { moment, number } from '../words.ts';
import { dateName, money } from './words.ts';

/** Labels that differ from the fields' names, in the order of a calculation. */
const labels: Record<string, string> = {
  queries: 'Billable queries',
  free: 'Free allowance',
  bundle: 'Bundle',
  bundled: 'Included',
  overage: 'Overage',
  keys: 'By key',
  plan: 'Plan',
  price_cents: 'Monthly price',
  days: 'Days',
  days_in_month: 'Days in the month',
};
const order = Object.keys(labels);

type CalculationDetailsProps = { source: LedgerEntry['source']; children?: ComponentChildren };

/** The calculation of a figure on an invoice, folded away; nothing if unknown. */
export function CalculationDetails({ source, children }: CalculationDetailsProps) {
  const fields = Object.entries(source).sort(([a], [b]) => placeOf(a) - placeOf(b));
  if (fields.length === 0 && !children) return null;
  return (
    <details class="origin">
      <summary>Calculation details</summary>
      <Facts
        layout="compact"
        list={fields.map(([name, value]) => [labelOf(name), <Value key={name} {...{ name, value }} />])}
      />
      {children}
    </details>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (!Array.isArray(value) || value.length === 0) return <span class="break">{textOf(name, value)}</span>;
  return (
    <ul class="plain-list break">
      {value.map((one) => (
        <li key={textOf(name, one)}>{textOf(name, one)}</li>
      ))}
    </ul>
  );
}

function placeOf(name: string): number {
  const place = order.indexOf(name);
  return place < 0 ? order.length : place;
}

function labelOf(name: string): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ');
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') {
    if (name.endsWith('_cents')) return money(value);
    // Ids have no thousands separators.
    return /(^|_)id$/.test(name) ? String(value) : number(value);
  }
  if (typeof value === 'string') {
    if (/^\d{4}-\d{2}$/.test(value)) return monthName(value);
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return dateName(value);
    if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return moment(value);
    return value;
  }
  if (Array.isArray(value)) return value.map((one) => textOf(name, one)).join(', ') || '–';
  if (typeof value !== 'object') return String(value);
  if ('hint' in value && 'queries' in value) return `${value.hint}: ${textOf('queries', value.queries)}`;
  return Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== '')
    .map(([key, inner]) => `${labelOf(key).toLowerCase()} ${textOf(key, inner)}`)
    .join(', ');
}
