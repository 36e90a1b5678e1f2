import { hash } from 'node:crypto';
import type { Response } from 'express';
import { shownFacts } from '../../billing/invoice-facts.ts';
import type { Invoice, InvoiceLine } from '../../billing/invoices.ts';
import { dollars } from '../../billing/money.ts';
import { monthName } from '../../platform/nz-time.ts';

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
.facts { display: flex; flex-wrap: wrap; gap: 4mm 6mm; margin: 10mm 0 8mm; padding: 4mm 0; border: solid var(--line); border-width: 1px 0; }
.facts div { flex: 1 1 auto; overflow-wrap: anywhere; }
.facts div:first-child { flex: 2 1 50mm; }
.facts dt { color: var(--soft); font-size: 8.5pt; }
.facts dd { margin: 0; font-weight: 600; }
tbody th { color: inherit; font-size: inherit; font-weight: 400; }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; }
th, td { padding: 1.8mm 2mm; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-size: 8.5pt; font-weight: 600; color: var(--soft); }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td { overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
td.n { white-space: nowrap; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
tfoot { display: table-row-group; }
tfoot th, tfoot td { border: 0; padding-top: 1mm; padding-bottom: 1mm; color: inherit; font-size: inherit; font-weight: 400; text-align: right; }
tfoot tr.total > * { border-top: 2px solid currentColor; font-weight: 700; font-size: 12pt; padding-top: 2mm; }
.reach { display: block; font-weight: 400; }
.payment { margin-top: 8mm; white-space: pre-line; }
@media (max-width: 220mm) { main { margin: 0; padding: 6mm 5mm; min-height: 0; box-shadow: none; } header { flex-direction: column; } .issuer { text-align: left; } }
@media (max-width: 120mm) { table { font-size: 8.5pt; } th { font-size: 7.5pt; overflow-wrap: anywhere; } th, td { padding: 1.5mm 1mm; } }
@page { size: A4; margin: 16mm 16mm 18mm; }
@media print { body { background: none; } main { width: auto; margin: 0; padding: 0; min-height: 0; box-shadow: none; } header { flex-direction: row; } .issuer { text-align: right; } }
`;

/** Allows only the page's own style, by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers with an invoice as a page for a browser. */
export function sendInvoicePage(response: Response, invoice: Invoice): undefined {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response.end(writeInvoicePage(invoice));
}

/** A page that prints on A4, with the particulars that the Goods and Services Tax Act 1985, section 19K, requires. */
function writeInvoicePage(invoice: Invoice): string {
  const { number, month, recipient, issuer, lines, usage } = invoice;
  const title = titleOf(invoice);
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
<div><h1>${title} ${number}</h1><p class="soft">${invoice.occasion === 'plan_start' ? 'Start of your plan, ' : ''}${monthName(month)}</p></div>
<p class="issuer"><strong>${text(issuer.name)}</strong>${issuer.address ? `\n${text(issuer.address)}` : ''}${
    issuer.gst_number ? `\nGST number ${text(issuer.gst_number)}` : ''
  }</p>
</header>
<dl class="facts">
<div><dt>To</dt><dd>${text(recipient.name)}${recipientLines(recipient)}</dd></div>
<div><dt>Date</dt><dd>${date(invoice.issued_on)}</dd></div>
${shownFacts(invoice).map(factRow).join('\n')}
</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="n">Quantity</th><th scope="col" class="n">Unit price</th><th scope="col" class="n">Amount</th></tr></thead>
<tbody>
${lines.map(lineRow).join('\n')}
</tbody>
<tfoot>
${sumRow('Subtotal (excl. GST)', invoice.subtotal_cents)}
${sumRow(`GST (${invoice.gst_percent}%)`, invoice.gst_cents)}
${balanceRows(invoice)}
</tfoot>
</table>
${issuer.payment && invoice.due_cents > 0 ? `<p class="payment">${text(issuer.payment)}</p>` : ''}
${invoice.carried_forward_cents > 0 ? `<p class="payment">Nothing is to be paid. The credit of ${money(invoice.carried_forward_cents)} is used up by your next invoices.</p>` : ''}
${usage ? usageTable(usage) : ''}
</main>
</body>
</html>
`;
}

/** "Tax invoice" means that the issuer is registered for GST. */
function titleOf({ total_cents: total, issuer }: Invoice): string {
  if (total < 0) return 'Credit note';
  return issuer.gst_number ? 'Tax invoice' : 'Invoice';
}

function factRow([name, value]: ReturnType<typeof shownFacts>[number]): string {
  const written =
    typeof value === 'string' ? text(value) : 'day' in value ? date(value.day) : money(value.cents);
  return `<div><dt>${text(name)}</dt><dd>${written}</dd></div>`;
}

function recipientLines({ address, contact }: Invoice['recipient']): string {
  const lines = [...address.split('\n'), contact].filter(Boolean);
  return lines.map((line) => `<span class="reach">${text(line)}</span>`).join('');
}

/** The total, and the effect of credit on the amount due. */
function balanceRows(invoice: Invoice): string {
  const { total_cents: total, brought_forward_cents: brought, carried_forward_cents: carried } = invoice;
  if (brought === 0 && carried === 0) return sumRow('Total (incl. GST)', total, true);
  return [
    sumRow('Total (incl. GST)', total),
    brought > 0 ? sumRow('Credit brought forward', -brought) : '',
    carried > 0
      ? sumRow('Credit carried forward', carried, true)
      : sumRow('Amount due', invoice.due_cents, true),
  ].join('\n');
}

function sumRow(name: string, cents: number, isTotal = false): string {
  return `<tr${isTotal ? ' class="total"' : ''}><th scope="row" colspan="3">${name}</th><td class="n">${money(cents)}</td></tr>`;
}

function lineRow(line: InvoiceLine): string {
  return `<tr><td>${text(line.description)}</td><td class="n">${count(line.quantity)}</td><td class="n">${money(line.unit_price_cents)}</td><td class="n">${money(line.amount_cents)}</td></tr>`;
}

function usageTable(usage: NonNullable<Invoice['usage']>): string {
  const { month, queries, free, bundle, bundled, overage } = usage;
  const rows: [string, number][] = [
    ['Billable queries', queries],
    ['Free allowance', free],
    [`Included, of ${count(bundle)}`, bundled],
    ['Overage', overage],
  ];
  return `<h2>Usage in ${monthName(month)}</h2>
<table><tbody>${rows
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td class="n">${count(value)}</td></tr>`)
    .join('')}</tbody></table>`;
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
