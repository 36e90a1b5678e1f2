import { commandActor } from '../../core/actor.ts';
import { closeMonth, previewClose } from '../../core/billing/close.ts';
import {
  allowOverage,
  createCustomer,
  customerByName,
  findCustomer,
  listCustomers,
} from '../../core/billing/customers.ts';
import { findInvoice, type ListedInvoice, listInvoices } from '../../core/billing/invoices.ts';
import { confirmAmount, postManualEntry, reverseEntry } from '../../core/billing/manual-entries.ts';
import { dollars } from '../../core/billing/money.ts';
import { cancelCustomer, setPlan, withdrawCancellation } from '../../core/billing/plans.ts';
import { listPlans } from '../../core/billing/terms.ts';
import type { Database } from '../../core/database/database.ts';
import { isDay, isMonth, type Month } from '../../core/nz-time.ts';
import {
  type AdminCommands,
  type AdminContext,
  type Arguments,
  NotACommand,
  wholeNumber,
} from './command.ts';
import { table } from './table.ts';

export const billingCommands: AdminCommands = {
  'customer list': {
    help: "lists the customers, with their plans and this month's queries",
    run: async ({ database }) =>
      table(await listCustomers(database, new Date()), {
        number: 'id',
        customer: 'name',
        plan: ({ plan }) => plan?.name,
        next: ({ next_plan }) => next_plan && `${next_plan.name} from ${next_plan.begins}`,
        ends: 'ends_on',
        queries: ({ month }) => month.queries,
        bundle: ({ month }) => month.bundle,
        'free left': 'free_left',
        keys: 'active_keys',
      }),
  },
  'customer create <customer> [<plan>] [<date>]': {
    help: 'creates a customer, with a plan from a date on (today unless given)',
    async run({ database }, [name = '', plan, begins]) {
      const now = new Date();
      await createCustomer(database, { name, plan, begins }, commandActor, now);
      return customerLines(database, name, now, () => true);
    },
  },
  'customer cancel <customer> [<date of the notice>]': {
    help: 'ends plan and keys with the month after that of the notice',
    async run({ database }, [name = '', notice]) {
      if (notice !== undefined && !isDay(notice)) throw new NotACommand();
      const id = await customerByName(database, name);
      const ends = await cancelCustomer(database, id, notice, commandActor, new Date());
      return `${name} ends: from ${ends} on there is no plan, and keys are disabled.`;
    },
  },
  'customer keep <customer>': {
    help: 'withdraws the cancellation',
    async run({ database }, [name = '']) {
      const now = new Date();
      await withdrawCancellation(database, await customerByName(database, name), commandActor, now);
      return customerLines(database, name, now);
    },
  },
  'customer credit <customer> <dollars> <reason> [<dollars>]': {
    help: 'posts a credit for the next invoice; a large amount has to be repeated',
    run: (context, args) => post(context, args, 'credit'),
  },
  'customer charge <customer> <dollars> <reason> [<dollars>]': {
    help: 'posts a charge for the next invoice',
    run: (context, args) => post(context, args, 'charge'),
  },
  'customer overage <customer> <on|off>': {
    help: 'whether a customer without a plan is answered, and charged, after the free queries',
    async run({ database }, [name = '', allowed]) {
      if (allowed !== 'on' && allowed !== 'off') throw new NotACommand();
      await allowOverage(database, await customerByName(database, name), allowed === 'on', commandActor);
      return allowed === 'on'
        ? `${name} is answered and charged after the free queries, also without a plan.`
        : `${name} is refused after the free queries, unless it has a plan.`;
    },
  },
  'ledger reverse <entry> <reason> [<dollars>] [<dollars>]': {
    help: 'reverses an entry: what is left of it, or a part',
    async run({ database, config }, [number, reason = '', amount, confirmed]) {
      const id = wholeNumber(number);
      const now = new Date();
      const reversal = {
        amountCents: amount === undefined ? undefined : cents(amount),
        confirmedCents: confirmed === undefined ? undefined : cents(confirmed),
        reason,
        reference: now.toISOString(),
      };
      const entry = await reverseEntry(database, id, reversal, config.confirmFromCents, commandActor, now);
      return `Entry ${entry.id}: ${dollars(entry.amount_cents)}, which corrects entry ${id}.`;
    },
  },
  'plan list': {
    help: 'lists the plans',
    run: async ({ database }) =>
      table(await listPlans(database), {
        plan: 'name',
        name: 'label',
        'queries a month': 'bundled_queries',
        'price a month': ({ price_cents }) => dollars(price_cents),
        '': ({ offered }) => (offered ? '' : 'no longer offered'),
      }),
  },
  'plan set <customer> <plan> [<date>]': {
    help: 'starts a plan, or changes it from the first of a later month',
    async run({ database }, [name = '', plan = '', begins]) {
      const now = new Date();
      const id = await customerByName(database, name);
      const numbers = await setPlan(database, id, { plan, begins }, commandActor, now);
      return customerLines(database, name, now, ({ number }) => numbers.includes(number));
    },
  },
  'invoice list [<month>]': {
    help: 'lists the invoices, newest first',
    run: async ({ database }, [given]) =>
      table(await listInvoices(database, { month: given === undefined ? undefined : month(given) }), {
        number: 'number',
        month: 'month',
        for: ({ recipient }) => recipient.name,
        issued: 'issued_on',
        due: 'due_on',
        'without GST': ({ subtotal_cents }) => dollars(subtotal_cents),
        GST: ({ gst_cents }) => dollars(gst_cents),
        total: ({ total_cents }) => dollars(total_cents),
        'to pay': ({ due_cents }) => dollars(due_cents),
      }),
  },
  'invoice show <number>': {
    help: 'shows an invoice with its lines and their ledger entries',
    run: ({ database }, [number]) => showInvoice(database, wholeNumber(number)),
  },
  'invoice preview <month>': {
    help: 'shows what closing a month would invoice now',
    async run({ database }, [given]) {
      const of = month(given);
      const { state, before, invoices } = await previewClose(database, of, new Date());
      const lines = invoices.flatMap(({ recipient, lines: own, total_cents }) =>
        [...own, { description: 'Total, with GST', amount_cents: total_cents }].map((line) => ({
          for: recipient.name,
          line: line.description,
          amount: dollars(line.amount_cents),
        })),
      );
      const standing = {
        open: 'has not ended yet',
        closable: 'is ready to close',
        waiting: `can be closed after ${before.join(', ')}`,
        closed: 'is closed already',
      }[state];
      return `${of} ${standing}.\n${table(lines, { for: 'for', line: 'line', amount: 'amount' })}`;
    },
  },
  'invoice close <month>': {
    help: 'closes a month (as 2026-11), after those before it: invoices for everyone',
    async run({ database }, [given]) {
      const of = month(given);
      const { closed } = await closeMonth(database, of, commandActor, new Date());
      const all = await listInvoices(database, { month: of });
      const count = all.filter(({ occasion }) => occasion === 'month').length;
      return `${of} ${closed ? 'is closed' : 'was closed before'}: ${count} ${count === 1 ? 'invoice' : 'invoices'}. They are in: npm run admin -- invoice list ${of}`;
    },
  },
};

async function post({ database, config }: AdminContext, args: Arguments, kind: 'credit' | 'charge') {
  const [name = '', amount, reason = '', confirmed] = args;
  const now = new Date();
  const amountCents = cents(amount);
  const account = { kind: 'customer', id: await customerByName(database, name) } as const;
  confirmAmount(amountCents, confirmed === undefined ? undefined : cents(confirmed), config.confirmFromCents);
  const given = { account, amountCents, reason, reference: now.toISOString() };
  const entry = await postManualEntry(database, kind, given, commandActor, now);
  return `Entry ${entry.id}: ${dollars(entry.amount_cents)} on the next invoice of ${name}.`;
}

/** A customer's plans, and the invoices that starting one issued at once. */
async function customerLines(
  database: Database,
  name: string,
  now: Date,
  wasIssued: (invoice: ListedInvoice) => boolean = () => false,
) {
  const id = await customerByName(database, name);
  const { plan, next_plan } = await findCustomer(database, id, now);
  const parts = [
    plan ? `has the plan ${plan.name} since ${plan.begins}` : 'has no plan',
    ...(plan?.ends && !next_plan ? [`which ends on ${plan.ends}`] : []),
    ...(next_plan ? [`${next_plan.name} from ${next_plan.begins}`] : []),
  ];
  const issued = (await listInvoices(database, { account: { kind: 'customer', id } }))
    .filter(wasIssued)
    .map(
      ({ number, total_cents }) => `Invoice ${number} of ${dollars(total_cents)}, GST included, is issued.`,
    );
  return [`${name} ${parts.join(', ')}.`, ...issued].join('\n');
}

async function showInvoice(database: Database, number: number): Promise<string> {
  const invoice = await findInvoice(database, number);
  const lines = table(invoice.lines, {
    line: 'position',
    description: 'description',
    quantity: 'quantity',
    each: ({ unit_price_cents }) => dollars(unit_price_cents),
    amount: ({ amount_cents }) => dollars(amount_cents),
    entry: ({ entry }) => entry.id,
    cause: ({ entry }) => entry.cause,
  });
  return `Invoice ${number} of ${invoice.issued_on} for ${invoice.recipient.name}, ${invoice.month}, ${invoice.due_on ? `due on ${invoice.due_on}` : 'nothing to pay'}
${lines}
Subtotal ${dollars(invoice.subtotal_cents)}, GST ${invoice.gst_percent}% ${dollars(invoice.gst_cents)}, total ${dollars(invoice.total_cents)}
Credit brought forward ${dollars(invoice.brought_forward_cents)}, amount due ${dollars(invoice.due_cents)}, credit carried forward ${dollars(invoice.carried_forward_cents)}`;
}

function month(text: string | undefined): Month {
  if (!isMonth(text)) throw new NotACommand();
  return text;
}

/** An amount above zero, in dollars, as cents. */
function cents(text: string | undefined): number {
  const amount =
    text !== undefined && /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
  if (amount === 0) throw new NotACommand();
  return amount;
}
