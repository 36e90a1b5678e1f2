import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { set } from '../field-value.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  heading?: boolean;
  numeric?: boolean;
  /** The title is for screen readers only: the actions of a row need none. */
  silent?: boolean;
  /** Makes the rows sortable by it: texts from A, numbers from the largest. */
  sortBy?(row: Row): number | string;
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  empty?: ComponentChildren;
  /** The row's `id` by default. */
  rowKey?(row: Row): string | number;
  /** The last row: its title, and sums by column title. */
  totals?: { title: string; cells: Record<string, string> } | undefined;
}

/** By the column of that title, ascending with a sign of 1, else descending. */
type Sorting = { title: string; sign: 1 | -1 };

/** A table that becomes a list on narrow screens, each cell after its column's title. A table too wide scrolls by itself. */
export function Table<Row>({ caption, columns, rows, empty, rowKey, totals }: TableProps<Row>) {
  const sorting = useSignal<Sorting | undefined>(undefined);
  if (empty && rows.length === 0) return typeof empty === 'string' ? <p class="muted">{empty}</p> : empty;
  const { title: sortedBy, sign = 1 } = sorting.value ?? {};
  const value = columns.find(({ title }) => title === sortedBy)?.sortBy;
  // Numbers start with the largest, texts with A; the next press reverses the order.
  const sortBy = (title: string, first: 1 | -1) =>
    set(sorting, { title, sign: title !== sortedBy ? first : sign === 1 ? -1 : 1 });
  const sorted = value ? rows.toSorted((a, b) => sign * compare(value(a), value(b))) : rows;
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric, silent, sortBy: isSortable }) => (
              <th
                key={title}
                scope="col"
                class={numeric ? 'numeric' : undefined}
                aria-sort={title !== sortedBy ? undefined : sign === 1 ? 'ascending' : 'descending'}
              >
                {isSortable ? (
                  <button
                    type="button"
                    class="bare-button sort"
                    onClick={() => sortBy(title, numeric ? -1 : 1)}
                  >
                    {title}
                  </button>
                ) : (
                  <span class={silent ? 'visually-hidden' : undefined}>{title}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, i) => (
            <tr key={rowKey?.(row) ?? (row as { id?: number }).id ?? i}>
              {columns.map(({ title, cell, heading, numeric, silent }) => {
                const Cell = heading ? 'th' : 'td';
                return (
                  <Cell
                    key={title}
                    scope={heading ? 'row' : undefined}
                    class={numeric ? 'numeric' : undefined}
                    data-title={silent ? '' : title}
                  >
                    <div class="cell">{cell(row)}</div>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              <th scope="row">{totals.title}</th>
              {columns.slice(1).map(({ title, numeric }) => (
                <td
                  key={title}
                  class={numeric ? 'numeric' : undefined}
                  data-title={totals.cells[title] === undefined ? '' : title}
                >
                  {totals.cells[title]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en-NZ');
}
