import { api } from '../shared/client.ts';
import { startPage } from '../shared/page.tsx';
import { waitingTowers } from '../shared/tower-count.ts';
import { AddressesView, AddressImportView } from './addresses.tsx';
import { BankView } from './bank.tsx';
import { BooksView } from './books.tsx';
import { CloseView } from './close.tsx';
import { StaffCreditNoteView } from './credit-notes.tsx';
import { CustomerView } from './customer.tsx';
import { CustomersView } from './customers.tsx';
import { FeesView } from './fees.tsx';
import { StaffInvoiceView } from './invoice.tsx';
import { InvoicesView } from './invoices.tsx';
import { MailMessageView, MailTemplatesView, MailView } from './mail.tsx';
import { OperatorView } from './operator.tsx';
import { PaymentView } from './payment.tsx';
import { PremisesView } from './premises.tsx';
import { ReceivablesView } from './receivables.tsx';
import { StaffSearch } from './search.tsx';
import { SettingsView } from './settings.tsx';
import { StartView } from './start.tsx';
import { UsageView } from './usage.tsx';
import { WorkView } from './work.tsx';

await startPage({
  purpose: 'Usage, customers and their keys, invoices, and what operators owe.',
  roles: ['staff'],
  places: () => [
    { label: 'Start', href: '#/', here: /^\/$/ },
    { label: 'Usage', href: '#/usage', here: /^\/usage$/ },
    { label: 'Customers', href: '#/customers', here: /^\/customers/ },
    { label: 'Processing fees', href: '#/fees', here: /^\/fees/ },
    { label: 'Month close', href: '#/close', here: /^\/close/ },
    { label: 'Invoices', href: '#/invoices', here: /^\/(invoices|credit-notes|payments)/ },
    { label: 'Bank', href: '#/bank', here: /^\/bank$/ },
    { label: 'Receivables', href: '#/receivables', here: /^\/receivables/ },
    { label: 'Books', href: '#/books', here: /^\/books$/ },
    { label: 'E-mails', href: '#/mail', here: /^\/mail/ },
    { label: 'Settings', href: '#/settings', here: /^\/settings$/ },
    { label: 'Addresses', href: '#/addresses', here: /^\/(addresses|premises)/ },
    { label: 'Work', href: '#/work', here: /^\/work$/ },
    { label: 'Coverage', href: '/operator' },
    { label: 'Towers', href: '/operator#/towers', count: waitingTowers },
  ],
  head: <StaffSearch />,
  load: () => api.get('/api/staff/billing'),
  routes: (billing) => [
    [/^\/$/, () => <StartView />],
    [/^\/usage$/, () => <UsageView billing={billing} />],
    [/^\/customers$/, () => <CustomersView billing={billing} />],
    [/^\/customers\/(\d+)$/, (id) => <CustomerView billing={billing} id={Number(id)} />],
    [/^\/operators\/(\d+)$/, (id) => <OperatorView billing={billing} id={Number(id)} />],
    [/^\/invoices$/, () => <InvoicesView billing={billing} />],
    [/^\/bank$/, () => <BankView billing={billing} />],
    [/^\/books$/, () => <BooksView billing={billing} />],
    [/^\/invoices\/(\d+)$/, (number) => <StaffInvoiceView number={Number(number)} billing={billing} />],
    [/^\/payments\/(\d+)$/, (id) => <PaymentView id={Number(id)} />],
    [/^\/credit-notes\/(\d+)$/, (number) => <StaffCreditNoteView number={Number(number)} />],
    [/^\/receivables$/, () => <ReceivablesView billing={billing} />],
    // Any close, by whomever, changes the next month.
    [/^\/close$/, () => <CloseView key={billing.next_close.month} billing={billing} />],
    [/^\/fees$/, () => <FeesView billing={billing} />],
    [/^\/settings$/, () => <SettingsView billing={billing} />],
    [/^\/addresses$/, () => <AddressesView />],
    [/^\/addresses\/([0-9a-f-]+)$/, (id) => <AddressImportView id={id} />],
    [/^\/premises$/, () => <PremisesView />],
    [/^\/mail$/, () => <MailView />],
    [/^\/mail\/templates$/, () => <MailTemplatesView />],
    [/^\/mail\/(\d+)$/, (id) => <MailMessageView id={Number(id)} />],
    [/^\/work$/, () => <WorkView />],
  ],
});
