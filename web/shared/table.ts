import { h } from './dom.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): Node | string;
  /** The cell that names its row. */
  heading?: boolean;
  numeric?: boolean;
}

/** A table that on narrow screens becomes a list, each cell with its column's title before it. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: readonly Row[]): HTMLElement {
  return h(
    'table',
    { class: 'table' },
    h('caption', { class: 'visually-hidden' }, caption),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ...columns.map(({ title, numeric }) => h('th', { scope: 'col', class: numeric && 'numeric' }, title)),
      ),
    ),
    h(
      'tbody',
      {},
      ...rows.map((row) =>
        h(
          'tr',
          {},
          ...columns.map(({ title, cell, heading, numeric }) =>
            h(
              heading ? 'th' : 'td',
              { scope: heading && 'row', class: numeric && 'numeric', 'data-title': title },
              h('div', { class: 'cell' }, cell(row)),
            ),
          ),
        ),
      ),
    ),
  );
}
