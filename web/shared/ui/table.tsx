import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { set } from '../field-value.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  heading?: boolean;
  numeric?: boolean;
  /** The title is only for those who listen: what can be done with a row speaks for itself. */
  silent?: boolean;
  /** Makes the rows sortable by it: texts from A, numbers from the largest. */
  sortBy?(row: Row): number | string;
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  empty?: ComponentChildren;
  /** The row's `id` unless given. */
  rowKey?(row: Row): string | number;
  /** The last row: what it sums up, and by column title the sums. */
  totals?: { title: string; cells: Record<string, string> } | undefined;
}

interface Sorting {
  title: string;
  direction: 'ascending' | 'descending';
}

/** A table that on narrow screens becomes a list, each cell with its column's title before it. What is too wide scrolls in itself. */
export function Table<Row>({ caption, columns, rows, empty, rowKey, totals }: TableProps<Row>) {
  const sorting = useSignal<Sorting | undefined>(undefined);
  if (empty && rows.length === 0) return typeof empty === 'string' ? <p class="muted">{empty}</p> : empty;
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHeading key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, sorting.value).map((row, i) => (
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

/** A column's title; where the rows can be sorted by it, a button that does it, and the other way round at the next press. */
function ColumnHeading<Row>({
  column: { title, numeric, silent, sortBy },
  sorting,
}: {
  column: Column<Row>;
  sorting: { value: Sorting | undefined };
}) {
  const direction = sorting.value?.title === title ? sorting.value.direction : undefined;
  const [first, second] = numeric
    ? (['descending', 'ascending'] as const)
    : (['ascending', 'descending'] as const);
  return (
    <th scope="col" class={numeric ? 'numeric' : undefined} aria-sort={direction}>
      {sortBy ? (
        <button
          type="button"
          class="bare-button sort"
          onClick={() => set(sorting, { title, direction: direction === first ? second : first })}
        >
          {title}
        </button>
      ) : silent ? (
        <span class="visually-hidden">{title}</span>
      ) : (
        title
      )}
    </th>
  );
}

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const value = columns.find(({ title }) => title === sorting?.title)?.sortBy;
  if (!sorting || !value) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(value(a), value(b)));
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en-NZ');
}
