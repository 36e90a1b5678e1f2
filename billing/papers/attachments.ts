import type { Attachment } from '../../mail/compose.ts';
import type { StoredMessage } from '../../mail/outbox.ts';
import type { Database } from '../../platform/database/database.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { findCreditNote } from '../credit-notes.ts';
import { findInvoice } from '../invoices.ts';
import { creditNotePaper } from './credit-note-paper.ts';
import { invoicePaper } from './invoice-paper.ts';
import { type KeptKind, keptPdf } from './kept.ts';
import type { Paper } from './paper.ts';
import { findReceipt, receiptPaper } from './receipt-paper.ts';

/** The papers that go with an e-mail, as PDF: printed once, and the same bytes at each attempt. */
export async function attachmentsOf(db: Database, message: StoredMessage): Promise<Attachment[]> {
  const { id, template, event, queued_on: at } = message;
  const attached = async (kind: KeptKind, number: number, name: string, paper: () => Promise<Paper>) => [
    { name: `${name}.pdf`, type: 'application/pdf', bytes: await keptPdf(db, kind, number, paper) },
  ];
  // As in `invoice:12`.
  const number = Number(event.split(':')[1]);
  switch (template) {
    case 'invoice':
      return attached('invoice', number, `invoice-${number}`, async () =>
        invoicePaper(await findInvoice(db, number, at)),
      );
    case 'credit_note':
      return attached('credit_note', number, `credit-note-${number}`, async () =>
        creditNotePaper(await findCreditNote(db, number)),
      );
    case 'receipt':
      return attached('receipt', number, `receipt-${number}`, async () =>
        receiptPaper(db, await findReceipt(db, number)),
      );
    case 'statement':
      // As it was when it was queued.
      return attached('statement', id, `statement-${dayOf(at)}`, async () => message.paper as Paper);
    default:
      return [];
  }
}
