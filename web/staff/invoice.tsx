import { InvoiceView } from '../shared/billing/invoice.tsx';
import { api } from '../shared/client.ts';
import type { Billing, InvoiceDetail, OwnInvoiceDetail } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { accountQuery } from './account.ts';
import { CreditNotesOf } from './credit-notes.tsx';
import { askCredit, askPayment, askWriteOff } from './payments.tsx';
import { Reminders } from './reminders.tsx';
import { InXero } from './xero-payments.tsx';

/** An invoice, with what staff can do about what is left to pay. */
export function StaffInvoiceView({ number, billing }: { number: number; billing: Billing }) {
  return (
    <InvoiceView
      number={number}
      actions={(invoice) => <Actions invoice={invoice} billing={billing} />}
      below={(invoice) => <CreditNotesOf invoice={invoice} billing={billing} />}
      more={<Reminders invoice={number} />}
    />
  );
}

function Actions({ invoice, billing }: { invoice: InvoiceDetail | OwnInvoiceDetail; billing: Billing }) {
  if (invoice.balance_cents === 0) return null;
  if (billing.debtors_ledger === 'xero') return <InXero billing={billing} />;
  const account = accountQuery(invoice.recipient);
  const withCredit = async () => {
    const { credit_cents: credit } = await api.get('/api/staff/statement', { query: account });
    return askCredit(account, invoice, credit);
  };
  return (
    <>
      <Button icon="plus" onClick={() => askPayment(account, { first: invoice.number, billing })}>
        Record payment
      </Button>
      <Button onClick={withCredit}>Apply credit</Button>
      <Button onClick={() => askWriteOff(invoice, billing)}>Write off</Button>
    </>
  );
}
