import type { Column } from '../ui/table.tsx';
import { number } from '../words.ts';
import { money } from './words.ts';

/* Columns common to tables of billing. */

/** Sortable whole numbers. */
export function countColumn<Row>(title: string, of: (row: Row) => number): Column<Row> {
  return { title, numeric: true, cell: (row) => number(of(row)), sortBy: of };
}

/** Sortable amounts. @param of in cents; undefined if there is none */
export function moneyColumn<Row>(title: string, of: (row: Row) => number | undefined): Column<Row> {
  const cell = (row: Row) => {
    const cents = of(row);
    return cents === undefined ? '–' : money(cents);
  };
  return { title, numeric: true, cell, sortBy: (row) => of(row) ?? 0 };
}

/** A link to the invoice that an entry is on. @param none the text for entries without one */
export function invoiceColumn<Row extends { invoice: number | null }>(
  none: (row: Row) => string = () => '–',
): Column<Row> {
  return {
    title: 'Invoice',
    cell: (row) =>
      row.invoice === null ? (
        <span class="muted">{none(row)}</span>
      ) : (
        <a href={`#/invoices/${row.invoice}`} aria-label={`Invoice ${row.invoice}`}>
          {row.invoice}
        </a>
      ),
  };
}
