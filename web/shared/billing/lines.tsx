import type { ComponentChildren } from 'preact';
import type { InvoiceDetail, LedgerEntry } from '../schemas.ts';
import { Table } from '../ui/table.tsx';
import { number } from '../words.ts';
import { CalculationDetails } from './source.tsx';
import { kindWords, money } from './words.ts';

type Line = Pick<
  InvoiceDetail['lines'][number],
  'kind' | 'description' | 'quantity' | 'unit_price_cents' | 'amount_cents'
>;

export interface LineTableProps<L extends Line> {
  caption: string;
  lines: readonly L[];
  /** The calculation of a line, and more about it. */
  origin(line: L): { source: LedgerEntry['source']; more?: ComponentChildren };
}

/** The lines of an invoice; each folds its calculation away. */
export function LineTable<L extends Line>({ caption, lines, origin }: LineTableProps<L>) {
  return (
    <Table
      caption={caption}
      columns={[
        {
          title: 'Description',
          heading: true,
          cell: (line) => {
            const { source, more } = origin(line);
            return (
              <div>
                {line.description}
                <CalculationDetails source={source}>{more}</CalculationDetails>
              </div>
            );
          },
        },
        { title: 'Type', cell: ({ kind }) => <span class="muted">{kindWords[kind]}</span> },
        { title: 'Quantity', numeric: true, cell: ({ quantity }) => number(quantity) },
        { title: 'Unit price', numeric: true, cell: ({ unit_price_cents: cents }) => money(cents) },
        { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
      ]}
      rows={lines}
    />
  );
}

type Credit = Pick<InvoiceDetail, 'brought_forward_cents' | 'carried_forward_cents'>;

export interface SumsProps {
  of: Pick<InvoiceDetail, 'subtotal_cents' | 'gst_cents' | 'total_cents' | 'due_cents'> & Partial<Credit>;
  gstPercent: number;
}

/** Subtotal, GST and total; with a credit, the parts used and left. */
export function Sums({ of, gstPercent }: SumsProps) {
  const { brought_forward_cents: brought = 0, carried_forward_cents: carried = 0 } = of;
  const sums: [name: string, cents: number, isThere: boolean][] = [
    ['Subtotal (excl. GST)', of.subtotal_cents, true],
    [`GST (${gstPercent}%)`, of.gst_cents, true],
    ['Total (incl. GST)', of.total_cents, true],
    ['Credit brought forward', -brought, brought > 0],
    ['Credit carried forward', carried, carried > 0],
    ['Amount due', of.due_cents, brought > 0 && carried === 0],
  ];
  return (
    <dl class="stack close sums">
      {sums.map(
        ([name, cents, isThere]) =>
          isThere && (
            <div key={name} class="between">
              <dt>{name}</dt>
              <dd>{money(cents)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
