import { CreditNoteView } from '../shared/billing/credit-note.tsx';
import { InvoiceView } from '../shared/billing/invoice.tsx';
import { api } from '../shared/client.ts';
import { startPage } from '../shared/page.tsx';
import { HomeView } from './home.tsx';
import { InvoicesView } from './invoices.tsx';
import { KeysView } from './keys.tsx';

await startPage({
  purpose: 'Your usage and what it costs, your keys, and your invoices.',
  roles: ['customer'],
  places: () => [
    { label: 'Usage', href: '#/', here: /^\/$/ },
    { label: 'Keys', href: '#/keys', here: /^\/keys/ },
    { label: 'Invoices', href: '#/invoices', here: /^\/(invoices|credit-notes)/ },
  ],
  load: () => api.get('/api/account'),
  routes: (account) => [
    [/^\/$/, () => <HomeView account={account} />],
    [/^\/keys$/, () => <KeysView {...account} />],
    [/^\/invoices$/, () => <InvoicesView />],
    [/^\/invoices\/(\d+)$/, (number) => <InvoiceView number={Number(number)} own="/api/account" />],
    [
      /^\/credit-notes\/(\d+)$/,
      (number) => (
        <CreditNoteView
          number={Number(number)}
          whose="customer"
          back={{ href: '#/invoices', label: 'Invoices' }}
        />
      ),
    ],
  ],
});
