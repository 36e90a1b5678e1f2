import type { Invoice } from '../schemas.ts';
import { Badge, type Tone } from '../ui/notice.tsx';

/** The states of invoices, in words, and how each looks. */
const invoiceStates: Record<Invoice['state'], { name: string; tone?: Tone }> = {
  open: { name: 'Open', tone: 'info' },
  part_paid: { name: 'Part paid', tone: 'info' },
  paid: { name: 'Paid', tone: 'good' },
  overdue: { name: 'Overdue', tone: 'warning' },
  credited: { name: 'Credited' },
  written_off: { name: 'Written off' },
};

export const invoiceStateOptions = Object.entries(invoiceStates).map(
  ([state, { name }]) => [state as Invoice['state'], name] as const,
);

export function InvoiceState({ of }: { of: Invoice['state'] }) {
  const { name, tone } = invoiceStates[of];
  return <Badge tone={tone}>{name}</Badge>;
}
