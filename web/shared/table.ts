import { h } from './dom.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): Node | string;
  /** The cell that names its row. */
  heading?: boolean;
  numeric?: boolean;
  /** The title is only for those who listen: what can be done with a row speaks for itself. */
  silent?: boolean;
  /** Makes the rows sortable by it: texts from A, numbers from the largest. */
  sortBy?(row: Row): number | string;
}

/** The last row: what it sums up, and by column title the sums. */
export interface Totals {
  title: string;
  cells: Record<string, string>;
}

/** A table that on narrow screens becomes a list, each cell with its column's title before it. */
export function table<Row>(
  caption: string,
  columns: Column<Row>[],
  rows: readonly Row[],
  totals?: Totals,
): HTMLElement {
  const body = h('tbody', {});
  const show = (sorted: readonly Row[]) =>
    body.replaceChildren(...sorted.map((row) => bodyRow(columns, row)));
  show(rows);
  return h(
    'table',
    { class: 'table' },
    h('caption', { class: 'visually-hidden' }, caption),
    h('thead', {}, h('tr', {}, ...columns.map((column) => columnHeading(column, rows, show)))),
    body,
    totals && footer(columns, totals),
  );
}

function bodyRow<Row>(columns: Column<Row>[], row: Row): HTMLElement {
  return h(
    'tr',
    {},
    ...columns.map(({ title, cell, heading, numeric, silent }) =>
      h(
        heading ? 'th' : 'td',
        { scope: heading && 'row', class: numeric && 'numeric', 'data-title': silent ? '' : title },
        h('div', { class: 'cell' }, cell(row)),
      ),
    ),
  );
}

/** A column's title; where the rows can be sorted by it, a button that does it, and the other way round at the next press. */
function columnHeading<Row>(
  { title, numeric, silent, sortBy }: Column<Row>,
  rows: readonly Row[],
  show: (sorted: readonly Row[]) => void,
): HTMLElement {
  if (!sortBy) {
    const text = silent ? h('span', { class: 'visually-hidden' }, title) : title;
    return h('th', { scope: 'col', class: numeric && 'numeric' }, text);
  }
  const sort = () => {
    const first = numeric ? 'descending' : 'ascending';
    const second = numeric ? 'ascending' : 'descending';
    const direction = heading.getAttribute('aria-sort') === first ? second : first;
    for (const other of heading.parentElement?.children ?? []) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', direction);
    const sign = direction === 'ascending' ? 1 : -1;
    show([...rows].sort((a, b) => sign * compare(sortBy(a), sortBy(b))));
  };
  const heading = h(
    'th',
    { scope: 'col', class: numeric && 'numeric' },
    h('button', { type: 'button', class: 'sort', onclick: sort }, title),
  );
  return heading;
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en-NZ');
}

function footer<Row>(columns: Column<Row>[], { title, cells }: Totals): HTMLElement {
  return h(
    'tfoot',
    {},
    h(
      'tr',
      {},
      ...columns.map((column, position) =>
        position === 0
          ? h('th', { scope: 'row' }, title)
          : h(
              'td',
              {
                class: column.numeric && 'numeric',
                'data-title': cells[column.title] === undefined ? '' : column.title,
              },
              cells[column.title] ?? '',
            ),
      ),
    ),
  );
}
