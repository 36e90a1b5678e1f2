import { commandActor } from '../core/access/actor.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../core/access/api-keys.ts';
import { cancelCustomer, withdrawCancellation } from '../core/billing/cancellation.ts';
import { closeMonth, previewClose } from '../core/billing/close.ts';
import {
  allowOverage,
  createCustomer,
  customerByName,
  findCustomer,
  listCustomers,
} from '../core/billing/customers.ts';
import { findInvoice, listInvoices } from '../core/billing/invoices.ts';
import { confirmAmount, postCharge, postCredit, reverseEntry } from '../core/billing/manual-entries.ts';
import { dollars } from '../core/billing/money.ts';
import { setPlan } from '../core/billing/plans.ts';
import { listPlans } from '../core/billing/terms.ts';
import type { Database } from '../core/database/database.ts';
import { CovermapError } from '../core/errors.ts';
import { isDay, isMonth } from '../core/nz-time.ts';
import { day, table } from './table.ts';

export const billingUsage = `  customer list                the customers, with their plans and this month's queries
  customer create <customer> [<plan> [<date>]]
                               a new customer, with a plan from a date on (today unless given)
  customer cancel <customer> [<date of the notice>]
                               ends plan and keys with the month after that of the notice
  customer keep <customer>     takes the notice back
  customer credit <customer> <dollars> <reason> [<dollars>]
                               gives something back on the next invoice; a large amount is said twice
  customer charge <customer> <dollars> <reason> [<dollars>]
                               charges something on the next invoice
  customer overage <customer> on|off
                               whether one without a plan is answered, and charged, after the free queries
  ledger reverse <entry> <reason> [<dollars> [<dollars>]]
                               takes an entry back, all that is left of it or a part
  plan list                    the plans
  plan set <customer> <plan> [<date>]
                               starts a plan, or changes it from the first of a month to come
  key rotate <number> [<hours>]
                               a new key in the place of one, which stays good for 72 hours unless said otherwise
  invoice list [<month>]       the invoices, newest first
  invoice show <number>        an invoice with its lines and where they come from
  invoice preview <month>      what closing a month would make now
  invoice close <month>        closes a month (as 2026-11), after those before it: invoices for everybody`;

/**
 * Does what the words say about customers, plans, keys and invoices.
 * @returns the text to print; undefined where the words are no command
 */
export async function administerBilling(
  database: Database,
  noun: string | undefined,
  verb: string | undefined,
  rest: string[],
  confirmFromCents: number,
): Promise<string | undefined> {
  const words = rest.map((word) => word.trim());
  if (words.includes('')) return undefined;
  const [first, second, third, fourth] = words;
  const now = new Date();
  const count = words.length;
  switch (`${noun} ${verb}`) {
    case 'customer list':
      return count === 0 ? customerList(database, now) : undefined;
    case 'customer create': {
      if (!first || count > 3) return undefined;
      await createCustomer(database, { name: first, plan: second, begins: third }, commandActor, now);
      return customerLine(database, first, now);
    }
    case 'customer cancel': {
      if (!first || count > 2 || (second !== undefined && !isDay(second))) return undefined;
      const ends = await cancelCustomer(
        database,
        await customerByName(database, first),
        second,
        commandActor,
        now,
      );
      return `${first} ends: from ${ends} on neither plan nor keys are good.`;
    }
    case 'customer keep': {
      if (!first || count > 1) return undefined;
      await withdrawCancellation(database, await customerByName(database, first), commandActor, now);
      return customerLine(database, first, now);
    }
    case 'customer credit':
    case 'customer charge': {
      const amountCents = cents(second);
      if (!first || !third || count > 4 || amountCents === undefined) return undefined;
      const account = { kind: 'customer', id: await customerByName(database, first) } as const;
      confirmAmount(amountCents, cents(fourth), confirmFromCents);
      const booking = { account, amountCents, reason: third, reference: now.toISOString() };
      const post = verb === 'credit' ? postCredit : postCharge;
      const entry = await post(database, booking, commandActor, now);
      return `Entry ${entry.id}: ${dollars(entry.amount_cents)} on the next invoice of ${first}.`;
    }
    case 'customer overage': {
      if (!first || (second !== 'on' && second !== 'off') || count > 2) return undefined;
      await allowOverage(database, await customerByName(database, first), second === 'on', commandActor);
      return second === 'on'
        ? `${first} is answered and charged after the free queries, also without a plan.`
        : `${first} is refused after the free queries, unless it has a plan.`;
    }
    case 'ledger reverse': {
      if (!/^\d{1,9}$/.test(first ?? '') || !second || count > 4) return undefined;
      if (third !== undefined && cents(third) === undefined) return undefined;
      const reversal = {
        amountCents: cents(third),
        confirmedCents: cents(fourth),
        reason: second,
        reference: now.toISOString(),
      };
      const entry = await reverseEntry(
        database,
        Number(first),
        reversal,
        confirmFromCents,
        commandActor,
        now,
      );
      return `Entry ${entry.id}: ${dollars(entry.amount_cents)}, which corrects entry ${first}.`;
    }
    case 'plan list': {
      if (count > 0) return undefined;
      const plans = await listPlans(database);
      return table(
        ['plan', 'name', 'queries a month', 'price a month', ''],
        plans.map((plan) => [
          plan.name,
          plan.label,
          String(plan.bundled_queries),
          dollars(plan.price_cents),
          plan.offered ? '' : 'not offered any more',
        ]),
      );
    }
    case 'plan set': {
      if (!first || !second || count > 3) return undefined;
      const id = await customerByName(database, first);
      await setPlan(database, id, { plan: second, begins: third }, commandActor, now);
      return customerLine(database, first, now);
    }
    case 'key create': {
      // With a label; without one it is made by name, and the customer with it.
      if (!first || !second || count > 2) return undefined;
      const made = await addKey(database, await customerByName(database, first), second, commandActor);
      return `${made.secret}\nKeep it now: only a hash of it is stored.`;
    }
    case 'key rotate': {
      const [id, hours] = [Number(first), second === undefined ? 72 : Number(second)];
      if (!/^\d{1,9}$/.test(first ?? '') || count > 2 || !Number.isInteger(hours)) return undefined;
      if (hours < 0 || hours > 720) return undefined;
      const { rows } = await database.query<{ customer_id: number }>(
        'select customer_id from api_key where id = $1',
        [id],
      );
      if (!rows[0]) throw new CovermapError('key_unknown', `There is no key number ${id}.`);
      const { secret, replaced } = await rotateKey(database, rows[0].customer_id, id, hours, commandActor);
      return `${secret}\nKeep it now: only a hash of it is stored. Key ${id} is good until ${replaced.expires_at?.toISOString()}.`;
    }
    case 'key list': {
      if (count > 0) return undefined;
      const keys = await listKeys(database);
      return table(
        ['number', 'customer', 'label', 'key', 'created', 'expires', 'revoked'],
        keys.map((key) => [
          String(key.id),
          key.customer,
          key.label,
          key.hint,
          day(key.created_at),
          day(key.expires_at),
          day(key.revoked_at),
        ]),
      );
    }
    case 'key revoke': {
      if (!/^\d{1,9}$/.test(first ?? '') || count > 1) return undefined;
      await revokeKey(database, Number(first));
      return `Key ${first} is revoked.`;
    }
    case 'invoice list': {
      if (count > 1 || (first !== undefined && !isMonth(first))) return undefined;
      const invoices = await listInvoices(database, { month: first });
      return table(
        ['number', 'month', 'for', 'issued', 'due', 'without GST', 'GST', 'total', 'to pay'],
        invoices.map((invoice) => [
          String(invoice.number),
          invoice.month,
          invoice.recipient.name,
          invoice.issued_on,
          invoice.due_on ?? '',
          dollars(invoice.subtotal_cents),
          dollars(invoice.gst_cents),
          dollars(invoice.total_cents),
          dollars(invoice.due_cents),
        ]),
      );
    }
    case 'invoice show':
      return /^\d{1,9}$/.test(first ?? '') && count === 1 ? showInvoice(database, Number(first)) : undefined;
    case 'invoice preview': {
      if (!isMonth(first) || count > 1) return undefined;
      const { state, before, invoices } = await previewClose(database, first, now);
      const lines = invoices.flatMap(({ recipient, lines: own, total_cents }) => [
        ...own.map((line) => [recipient.name, line.description, dollars(line.amount_cents)]),
        [recipient.name, 'Total, with GST', dollars(total_cents)],
      ]);
      return `${first} is ${state === 'open' ? 'not over yet' : state === 'closed' ? 'closed already' : state === 'waiting' ? `to be closed after ${before.join(', ')}` : 'to be closed'}.\n${table(['for', 'line', 'amount'], lines)}`;
    }
    case 'invoice close': {
      if (!isMonth(first) || count > 1) return undefined;
      const { closed } = await closeMonth(database, first, commandActor, now);
      const made = (await listInvoices(database, { month: first })).filter(
        ({ occasion }) => occasion === 'month',
      );
      return `${first} ${closed ? 'is closed' : 'was closed before'}: ${made.length} ${made.length === 1 ? 'invoice' : 'invoices'}. They are in: npm run admin -- invoice list ${first}`;
    }
    default:
      return undefined;
  }
}

async function customerList(database: Database, now: Date): Promise<string> {
  const customers = await listCustomers(database, now);
  return table(
    ['number', 'customer', 'plan', 'next', 'ends', 'queries', 'bundle', 'free left', 'keys'],
    customers.map((customer) => [
      String(customer.id),
      customer.name,
      customer.plan?.name ?? '',
      customer.next_plan ? `${customer.next_plan.name} from ${customer.next_plan.begins}` : '',
      customer.ends_on ?? '',
      String(customer.month.queries),
      String(customer.month.bundle),
      String(customer.free_left),
      String(customer.active_keys),
    ]),
  );
}

async function customerLine(database: Database, name: string, now: Date): Promise<string> {
  const { plan, next_plan } = await findCustomer(database, await customerByName(database, name), now);
  const parts = [
    plan ? `has the plan ${plan.name} since ${plan.begins}` : 'has no plan',
    ...(plan?.ends && !next_plan ? [`which ends on ${plan.ends}`] : []),
    ...(next_plan ? [`${next_plan.name} from ${next_plan.begins}`] : []),
  ];
  return `${name} ${parts.join(', ')}.`;
}

async function showInvoice(database: Database, number: number): Promise<string> {
  const invoice = await findInvoice(database, number);
  const lines = table(
    ['line', 'description', 'quantity', 'each', 'amount', 'entry', 'cause'],
    invoice.lines.map((line) => [
      String(line.position),
      line.description,
      String(line.quantity),
      dollars(line.unit_price_cents),
      dollars(line.amount_cents),
      String(line.entry.id),
      line.entry.cause,
    ]),
  );
  return `Invoice ${number} of ${invoice.issued_on} for ${invoice.recipient.name}, ${invoice.month}, ${invoice.due_on ? `due on ${invoice.due_on}` : 'nothing to pay'}
${lines}
Subtotal ${dollars(invoice.subtotal_cents)}, GST ${invoice.gst_percent}% ${dollars(invoice.gst_cents)}, total ${dollars(invoice.total_cents)}
Credit brought forward ${dollars(invoice.brought_forward_cents)}, amount due ${dollars(invoice.due_cents)}, credit carried forward ${dollars(invoice.carried_forward_cents)}`;
}

/** Dollars as cents; undefined where the text is no amount above zero. */
function cents(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,7}(\.\d{1,2})?$/.test(text)) return undefined;
  return Math.round(Number(text) * 100) || undefined;
}
