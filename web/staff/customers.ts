import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { planTerms } from '../shared/billing/plan.ts';
import type { Billing, Customer, ListedCustomer } from '../shared/billing/types.ts';
import { dateName, dateOfMoment, dayBefore } from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { fill, h, icons } from '../shared/dom.ts';
import { field, select, textField } from '../shared/fields.ts';
import { type Part, part } from '../shared/part.ts';
import { go, type View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import { count, number } from '../shared/words.ts';
import { beginsField } from './begins-field.ts';

const address = '/api/staff/customers';

/** All customers, and new ones. */
export function customersView(billing: Billing): View {
  let wanted = '';
  const search = h('input', {
    id: 'search',
    type: 'search',
    autocomplete: 'off',
    oninput: () => {
      wanted = search.value.trim().toLocaleLowerCase();
      draw();
    },
  });
  let customers: ListedCustomer[] = [];
  const found = h('div', {});
  const draw = () => {
    const shown = customers.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
    if (wanted) announce(count(shown.length, 'customer'));
    fill(
      found,
      customers.length === 0
        ? h('p', { class: 'muted' }, 'There is none yet.')
        : shown.length === 0
          ? h('p', { class: 'muted' }, 'No customer is called like that.')
          : table('Customers, by name', columns, shown),
    );
  };
  const list: Part = part(
    () => request<{ customers: ListedCustomer[] }>('GET', address),
    (answer) => {
      customers = answer.customers;
      draw();
      return [found];
    },
  );
  void list.load();
  return {
    title: 'Customers',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'title-row' },
        h('h1', {}, 'Customers'),
        h(
          'div',
          { class: 'actions' },
          csvLink(`${address}?format=csv`),
          button('New customer', () => create(billing), { kind: 'primary', icon: icons.plus }),
        ),
      ),
      h(
        'section',
        { class: 'card stack', 'aria-label': 'Customers' },
        h('div', { class: 'filters' }, field('Find by name', search)),
        list.element,
      ),
    ),
  };
}

const columns: Column<ListedCustomer>[] = [
  {
    title: 'Customer',
    heading: true,
    cell: ({ id, name }) => h('a', { href: `#/customers/${id}` }, name),
    sortBy: ({ name }) => name,
  },
  {
    title: 'Plan',
    cell: ({ plan, next_plan: next, ends_on: ends }) =>
      h(
        'span',
        {},
        plan?.label ?? h('span', { class: 'muted' }, 'none'),
        next
          ? h('span', { class: 'small muted below' }, `${next.label} from ${dateName(next.begins)}`)
          : null,
        ends
          ? h(
              'span',
              { class: 'below' },
              h('span', { class: 'badge warning' }, `until ${dateName(dayBefore(ends))}`),
            )
          : null,
      ),
  },
  { title: 'Good keys', numeric: true, cell: ({ active_keys: keys }) => number(keys) },
  { title: 'Free queries left', numeric: true, cell: ({ free_left: left }) => number(left) },
  {
    title: 'Queries this month',
    numeric: true,
    cell: (one) => number(one.month.queries),
    sortBy: (one) => one.month.queries,
  },
  {
    title: 'Customer since',
    cell: ({ created_at: at }) => dateName(dateOfMoment(at)),
    sortBy: ({ created_at: at }) => at,
  },
];

async function create({ plans, today }: Billing): Promise<void> {
  const asked = { name: '', plan: '', begins: today };
  let made: Customer | undefined;
  const begins = beginsField('The plan begins', today, (day) => {
    asked.begins = day;
  });
  begins.hidden = true;
  const plan = select(
    'plan',
    [
      ['', 'None yet: the free queries only'] as const,
      ...plans
        .filter(({ offered }) => offered)
        .map((one) => [one.name, `${one.label}: ${planTerms(one)}`] as const),
    ],
    '',
    (value) => {
      asked.plan = value;
      begins.hidden = value === '';
    },
  );
  const done = await ask(
    {
      title: 'New customer',
      body: [
        textField(
          'Name',
          'customer-name',
          (text) => {
            asked.name = text;
          },
          { hint: 'As it is to be on invoices.', required: true, maxlength: 200 },
        ),
        field('Plan', plan),
        begins,
      ],
      confirm: 'Make the customer',
    },
    async () => {
      made = await request<Customer>('POST', address, {
        name: asked.name,
        ...(asked.plan ? { plan: asked.plan, begins: asked.begins } : {}),
      });
    },
  );
  if (done && made) {
    announce(`${made.name} is a customer now.`);
    go(`/customers/${made.id}`);
  }
}
