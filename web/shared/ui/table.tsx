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

type Sorting = { title: string; direction: 'ascending' | 'descending' };

/** A table that becomes a list on narrow screens, each cell after its column's title. A table too wide scrolls by itself. */
export function Table<Row>({ caption, columns, rows, empty, rowKey, totals }: TableProps<Row>) {
  const sorting = useSignal<Sorting | undefined>(undefined);
  if (empty && rows.length === 0) return typeof empty === 'string' ? <p class="muted">{empty}</p> : empty;
  const { title: sortedBy, direction } = sorting.value ?? {};
  const value = columns.find(({ title }) => title === sortedBy)?.sortBy;
  const sign = direction === 'ascending' ? 1 : -1;
  const sorted = value ? rows.toSorted((a, b) => sign * compare(value(a), value(b))) : rows;
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric, silent, sortBy }) => (
              <th
                key={title}
                scope="col"
                class={numeric ? 'numeric' : undefined}
                aria-sort={title === sortedBy ? direction : undefined}
              >
                {sortBy ? (
                  <button
                    type="button"
                    class="bare-button sort"
                    onClick={() => set(sorting, nextSorting(sorting.value, title, numeric))}
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

/** Numbers start with the largest, texts with A; the next press reverses the order. */
function nextSorting(now: Sorting | undefined, title: string, numeric?: boolean): Sorting {
  const first = numeric ? 'descending' : 'ascending';
  const second = numeric ? 'ascending' : 'descending';
  return { title, direction: now?.title === title && now.direction === first ? second : first };
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en-NZ');
}
