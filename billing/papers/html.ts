import type { Paper, PaperSum, PaperTable } from './paper.ts';

/** The looks of every paper: a sheet on a screen, A4 when it is printed. */
export const paperStyle = `
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

/** A paper as a page for a browser, which may use nothing but {@link paperStyle}. */
export function paperPage(paper: Paper): string {
  const { title, about, recipient, issuer, facts, tables, notes } = paper;
  const [first, ...others] = tables;
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text([title, recipient, about].join(', '))}</title>
<style>${paperStyle}</style>
</head>
<body>
<main>
<header>
<div><h1>${text(title)}</h1><p class="soft">${text(about)}</p></div>
<p class="issuer"><strong>${text(issuer.name)}</strong>${issuer.address ? `\n${text(issuer.address)}` : ''}${
    issuer.gst_number ? `\nGST number ${text(issuer.gst_number)}` : ''
  }</p>
</header>
<dl class="facts">
${facts.map(({ name, value, more = [] }) => `<div><dt>${text(name)}</dt><dd>${text(value)}${more.map(reach).join('')}</dd></div>`).join('\n')}
</dl>
${first ? table(first) : ''}
${notes.map((note) => `<p class="payment">${text(note)}</p>`).join('\n')}
${others.map(table).join('\n')}
</main>
</body>
</html>
`;
}

const reach = (line: string) => `<span class="reach">${text(line)}</span>`;

function table({ heading, columns, rows, sums }: PaperTable): string {
  const head = columns.map(
    ({ name, numeric }) => `<th scope="col"${numeric ? ' class="n"' : ''}>${text(name)}</th>`,
  );
  const cell = (value: string, index: number) => {
    if (columns.length === 0 && index === 0) return `<th scope="row">${text(value)}</th>`;
    return `<td${columns[index]?.numeric || columns.length === 0 ? ' class="n"' : ''}>${text(value)}</td>`;
  };
  return `${heading ? `<h2>${text(heading)}</h2>\n` : ''}<table>
${head.length > 0 ? `<thead><tr>${head.join('')}</tr></thead>\n` : ''}<tbody>
${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}
</tbody>
${sums.length > 0 ? `<tfoot>\n${sums.map((sum) => sumRow(sum, columns.length - 1)).join('\n')}\n</tfoot>\n` : ''}</table>`;
}

function sumRow({ name, value, isTotal }: PaperSum, span: number): string {
  return `<tr${isTotal ? ' class="total"' : ''}><th scope="row" colspan="${span}">${text(name)}</th><td class="n">${text(value)}</td></tr>`;
}

function text(value: string): string {
  return value.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] as string,
  );
}
