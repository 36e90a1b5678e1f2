import { hash } from 'node:crypto';
import { monthName } from '../core/billing/calendar.ts';
import type { Invoice, InvoiceLine } from '../core/billing/invoices.ts';
import { dollars } from './csv.ts';

/** Who sends an invoice; what is empty is left out. */
export interface Issuer {
  name: string;
  address: string;
  gst_number: string;
  payment: string;
}

const style = `
:root { color-scheme: light; --line: #c9ced6; --soft: #5a6472; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef0f3; color: #16202c; font: 10.5pt/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { background: #fff; width: 210mm; max-width: 100%; min-height: 297mm; margin: 8mm auto; padding: 18mm 16mm; box-shadow: 0 1px 6px #0002; }
header { display: flex; justify-content: space-between; gap: 10mm; align-items: flex-start; }
h1 { font-size: 22pt; line-height: 1.1; margin: 0 0 2mm; letter-spacing: -0.01em; }
h2 { font-size: 12pt; margin: 10mm 0 2mm; break-after: avoid; }
p { margin: 0; }
.soft { color: var(--soft); }
.issuer { text-align: right; white-space: pre-line; }
.issuer strong { font-size: 12pt; }
.facts { display: grid; grid-template-columns: 2fr auto auto auto; gap: 8mm; margin: 10mm 0 8mm; padding: 4mm 0; border: solid var(--line); border-width: 1px 0; }
.facts dt { color: var(--soft); font-size: 8.5pt; }
.facts dd { margin: 0; font-weight: 600; white-space: nowrap; }
.facts div:first-child dd { white-space: normal; overflow-wrap: anywhere; }
tbody th { color: inherit; font-size: inherit; font-weight: 400; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; }
th, td { padding: 1.8mm 2mm; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-size: 8.5pt; font-weight: 600; color: var(--soft); }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td { overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
tfoot { display: table-row-group; }
tfoot th, tfoot td { border: 0; padding-top: 1mm; padding-bottom: 1mm; color: inherit; font-size: inherit; font-weight: 400; text-align: right; }
tfoot tr.total > * { border-top: 2px solid currentColor; font-weight: 700; font-size: 12pt; padding-top: 2mm; }
.entries td, .entries th { font-size: 8.5pt; }
.payment { margin-top: 8mm; white-space: pre-line; }
@media (max-width: 220mm) { main { margin: 0; padding: 6mm 5mm; min-height: 0; box-shadow: none; } .facts { grid-template-columns: 1fr 1fr; } header { flex-direction: column; } .issuer { text-align: left; } }
@page { size: A4; margin: 16mm 16mm 18mm; }
@media print { body { background: none; } main { width: auto; margin: 0; padding: 0; min-height: 0; box-shadow: none; } .scroll { overflow: visible; } .facts { grid-template-columns: 2fr auto auto auto; } header { flex-direction: row; } .issuer { text-align: right; } }
`;

/** Nothing but the page's own style, which is known by its hash. */
export const invoicePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** An invoice as a page for a browser, which prints on A4: its lines, and the entries that they come from. */
export function writeInvoicePage(invoice: Invoice, issuer: Issuer): string {
  const { number, month, recipient, lines, usage } = invoice;
  // A sum below zero is money that goes back.
  const title = invoice.total_cents < 0 ? 'Credit note' : 'Tax invoice';
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${number}, ${text(recipient.name)}, ${monthName(month)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<div><h1>${title} ${number}</h1><p class="soft">${monthName(month)}</p></div>
<p class="issuer"><strong>${text(issuer.name)}</strong>${issuer.address ? `\n${text(issuer.address)}` : ''}${
    issuer.gst_number ? `\nGST number ${text(issuer.gst_number)}` : ''
  }</p>
</header>
<dl class="facts">
<div><dt>To</dt><dd>${text(recipient.name)}</dd></div>
<div><dt>Date</dt><dd>${date(invoice.issued_on)}</dd></div>
<div><dt>Due</dt><dd>${date(invoice.due_on)}</dd></div>
<div><dt>Amount, with GST</dt><dd>${money(invoice.total_cents)}</dd></div>
</dl>
<div class="scroll">
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="n">Quantity</th><th scope="col" class="n">Each</th><th scope="col" class="n">Amount</th></tr></thead>
<tbody>
${lines.map(lineRow).join('\n') || '<tr><td colspan="4">Nothing is owed for this month.</td></tr>'}
</tbody>
<tfoot>
<tr><th scope="row" colspan="3">Subtotal, without GST</th><td class="n">${money(invoice.subtotal_cents)}</td></tr>
<tr><th scope="row" colspan="3">GST ${invoice.gst_percent}%</th><td class="n">${money(invoice.gst_cents)}</td></tr>
<tr class="total"><th scope="row" colspan="3">Total</th><td class="n">${money(invoice.total_cents)}</td></tr>
</tfoot>
</table>
</div>
${issuer.payment ? `<p class="payment">${text(issuer.payment)}</p>` : ''}
${usage ? usageTable(usage) : ''}
${lines.length > 0 ? entryTable(lines) : ''}
</main>
</body>
</html>
`;
}

function lineRow(line: InvoiceLine): string {
  return `<tr><td>${text(line.description)}</td><td class="n">${count(line.quantity)}</td><td class="n">${money(line.unit_price_cents)}</td><td class="n">${money(line.amount_cents)}</td></tr>`;
}

function usageTable({
  month,
  queries,
  free,
  bundle,
  bundled,
  overage,
}: NonNullable<Invoice['usage']>): string {
  const rows: [string, number][] = [
    ['Billable queries', queries],
    ['of these free', free],
    [`of these in the bundle of ${count(bundle)}`, bundled],
    ['of these past the bundle', overage],
  ];
  return `<h2>Usage in ${monthName(month)}</h2>
<table><tbody>${rows
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td class="n">${count(value)}</td></tr>`)
    .join('')}</tbody></table>`;
}

/** What each line was worked out from. */
function entryTable(lines: readonly InvoiceLine[]): string {
  const rows = lines.map(
    ({ position, entry, amount_cents }) =>
      `<tr><td>${position}</td><td>${entry.id}</td><td>${text(entry.cause)}</td><td>${text(facts(entry.source))}</td><td>${date(
        // As the day was in New Zealand, where the invoice is from.
        entry.booked_at.toLocaleDateString('en-CA', { timeZone: 'Pacific/Auckland' }),
      )}, ${text(entry.booked_by)}</td><td class="n">${money(amount_cents)}</td></tr>`,
  );
  return `<h2>Where the figures come from</h2>
<div class="scroll">
<table class="entries">
<thead><tr><th scope="col">Line</th><th scope="col">Entry</th><th scope="col">Cause</th><th scope="col">Worked out from</th><th scope="col">Booked</th><th scope="col" class="n">Amount</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>`;
}

const factOrder = [
  'plan',
  'price_cents',
  'days',
  'days_in_month',
  'queries',
  'free',
  'bundle',
  'bundled',
  'overage',
  'booked_before',
];

/** The figures of a source in a line: `queries 76,012, free 1,000`. */
function facts(source: object): string {
  // The database keeps no order of them.
  const rank = (name: string) => (factOrder.includes(name) ? factOrder.indexOf(name) : factOrder.length);
  return Object.entries(source)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, value]) => {
      const words = name.replaceAll('_', ' ').replace(/ cents$/, '');
      if (name.endsWith('_cents')) return `${words} ${money(Number(value))}`;
      if (name === 'keys' && Array.isArray(value)) {
        return value.map(({ hint, queries }) => `key ${hint}: ${count(Number(queries))}`).join(', ');
      }
      return `${words} ${typeof value === 'number' ? count(value) : value}`;
    })
    .filter((fact) => fact !== '')
    .join(', ');
}

function money(cents: number): string {
  const [whole = '', rest] = dollars(Math.abs(cents)).split('.');
  return `${cents < 0 ? '−' : ''}$${count(Number(whole))}.${rest}`;
}

function count(value: number): string {
  return value.toLocaleString('en-NZ');
}

/** As in 1 November 2026. @param day YYYY-MM-DD */
function date(day: string): string {
  return `${Number(day.slice(8))} ${monthName(day.slice(0, 7))}`;
}

function text(value: string): string {
  return value.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] as string,
  );
}
