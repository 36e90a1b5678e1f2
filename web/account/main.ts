import { request } from '../shared/api.ts';
import { invoiceView } from '../shared/billing/invoice.ts';
import type { Account } from '../shared/billing/types.ts';
import { startPage } from '../shared/page.tsx';
import { homeView } from './home.ts';
import { invoicesView } from './invoices.ts';
import { keysView } from './keys.ts';

await startPage({
  purpose: 'Your usage and what it costs, your keys, and your invoices.',
  roles: ['customer'],
  places: () => [
    { label: 'Usage', href: '#/', here: /^\/$/ },
    { label: 'Keys', href: '#/keys', here: /^\/keys/ },
    { label: 'Invoices', href: '#/invoices', here: /^\/invoices/ },
  ],
  async routes() {
    const account = await request<Account>('GET', '/api/account');
    return [
      [/^\/$/, () => homeView(account)],
      [/^\/keys$/, () => keysView(account)],
      [/^\/invoices$/, () => invoicesView()],
      [
        /^\/invoices\/(\d+)$/,
        (number) => invoiceView({ address: '/api/account/invoices', number: number as string, isOwn: true }),
      ],
    ];
  },
});
