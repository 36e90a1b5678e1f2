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
  /** What a line was calculated from, and what else there is to say of that. */
  origin(line: L): { source: LedgerEntry['source']; more?: ComponentChildren };
}

/** The lines of an invoice; what each was calculated from is folded away below it. */
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

export interface SumsProps {
  of: {
    subtotal_cents: number;
    gst_cents: number;
    total_cents: number;
    due_cents: number;
    brought_forward_cents?: number;
    carried_forward_cents?: number;
  };
  gstPercent: number;
}

/** Subtotal, GST and total; and where there is a credit, what of it is used up and left. */
export function Sums({ of, gstPercent }: SumsProps) {
  const { brought_forward_cents: brought = 0, carried_forward_cents: carried = 0 } = of;
  const isPlain = brought === 0 && carried === 0;
  return (
    <dl class="stack close sums">
      <Sum name="Subtotal (excl. GST)" cents={of.subtotal_cents} />
      <Sum name={`GST (${gstPercent}%)`} cents={of.gst_cents} />
      <Sum name="Total (incl. GST)" cents={of.total_cents} isLast={isPlain} />
      {brought > 0 && <Sum name="Credit brought forward" cents={-brought} />}
      {!isPlain &&
        (carried > 0 ? (
          <Sum name="Credit carried forward" cents={carried} isLast />
        ) : (
          <Sum name="Amount due" cents={of.due_cents} isLast />
        ))}
    </dl>
  );
}

function Sum({ name, cents, isLast }: { name: string; cents: number; isLast?: boolean }) {
  return (
    <div class={isLast ? 'between sum' : 'between'}>
      <dt>{name}</dt>
      <dd>{money(cents)}</dd>
    </div>
  );
}
