import { request } from '../shared/api.ts';
import { invoiceView } from '../shared/billing/invoice.ts';
import type { Billing } from '../shared/billing/types.ts';
import { startPage } from '../shared/page.tsx';
import { waitingTowers } from '../shared/tower-count.ts';
import { closeView } from './close.ts';
import { customerView } from './customer.ts';
import { customersView } from './customers.ts';
import { feesView } from './fees.ts';
import { invoicesView } from './invoices.ts';
import { usageView } from './usage.ts';

await startPage({
  purpose: 'Usage, customers and their keys, invoices, and what operators owe.',
  roles: ['staff'],
  places: () => [
    { label: 'Usage', href: '#/', here: /^\/$/ },
    { label: 'Customers', href: '#/customers', here: /^\/customers/ },
    { label: 'Invoices', href: '#/invoices', here: /^\/invoices/ },
    { label: 'Month close', href: '#/close', here: /^\/close/ },
    { label: 'Processing fees', href: '#/fees', here: /^\/fees/ },
    { label: 'Coverage', href: '/operator' },
    { label: 'Towers', href: '/operator#/towers', count: waitingTowers },
  ],
  async routes() {
    const billing = await request<Billing>('GET', '/api/staff/billing');
    return [
      [/^\/$/, () => usageView(billing)],
      [/^\/customers$/, () => customersView(billing)],
      [/^\/customers\/(\d+)$/, (id) => customerView(billing, Number(id))],
      [/^\/invoices$/, () => invoicesView(billing)],
      [
        /^\/invoices\/(\d+)$/,
        (number) =>
          invoiceView({
            address: '/api/staff/invoices',
            number: number as string,
            isOwn: false,
            recipientHref: ({ recipient }) =>
              recipient.kind === 'customer' ? `#/customers/${recipient.id}` : undefined,
          }),
      ],
      [/^\/close$/, () => closeView()],
      [/^\/fees$/, () => feesView(billing)],
    ];
  },
});
