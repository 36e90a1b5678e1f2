import { randomUUID } from 'node:crypto';
import { anySeed, Random } from '@covermap/testing/random.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { takeBankFile } from '../../billing/bank/files.ts';
import { closeMonth } from '../../billing/close.ts';
import { issueCreditNote } from '../../billing/credit-notes.ts';
import { type AccountId, accountKey } from '../../billing/ledger.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { recordPayment } from '../../billing/receivables/payments.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, addMonths, dayOf, firstDay, startOfDay } from '../../platform/nz-time.ts';
import { makeCustomer } from '../setup/billing.ts';
import { doStep, numbered, type Step } from '../setup/money-step.ts';
import { endCommandProcesses, runScript } from '../setup/processes.ts';
import { rounds, sampled } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * A process that moves money is killed (SIGKILL) between any two of its statements, and before it can say that it is done. What it did is there as a
 * whole or not at all; and after the same request again it is there once.
 */

const seed = anySeed();
const random = new Random(seed);
/** Of all moments. */
const kills = rounds(sampled(2, 3), Number.POSITIVE_INFINITY);
const most = 40;

const { place, database } = await useDatabase();
const onServers = inject('backend').kind === 'server';
afterAll(endCommandProcesses);
const first = '2031-01';
const at = startOfDay('2031-03-20');

const actions = [
  ...(['payment', 'credit', 'refund', 'write-off', 'reversal', 'bank line'] as const),
  ...(['credit note', 'credit note undone'] as const),
] as const;
const perAction = Math.min(kills, most) + 1;
const accounts = onServers ? await makeAccounts(actions.length * perAction) : [];

/** Accounts with two open invoices each. */
async function makeAccounts(count: number): Promise<AccountId[]> {
  const made: AccountId[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await makeCustomer(database, `Payer ${n}`, {}, startOfDay(firstDay(first)));
    made.push({ kind: 'customer', id });
  }
  for (const month of [first, addMonths(first, 1)]) {
    const begins = startOfDay(firstDay(month));
    for (const account of made) {
      const entry = { account, amountCents: 10_000, reason: 'Test', reference: randomUUID() };
      await postManualEntry(database, 'charge', entry, commandActor, begins);
    }
    await closeMonth(database, month, commandActor, startOfDay(firstDay(addMonths(month, 1))));
  }
  return made;
}

/** An account with all that a step needs. */
async function prepare(action: Step['action']): Promise<Step> {
  const account = accounts.pop() as AccountId;
  const { rows: invoices } = await database.query<{ number: number; left_cents: number }>(sql`
    select o.number, o.left_cents from open_invoice o join invoice i using (number)
    where i.account = ${accountKey(account)} order by 1`);
  const step = {
    action,
    account,
    invoices,
    at: at.toISOString(),
    day: dayOf(at),
    id: 0,
    cause: randomUUID(),
  };
  if (['payment', 'write-off', 'credit note'].includes(action)) return step;
  if (action === 'credit note undone') {
    const [{ number }] = invoices as [Step['invoices'][0]];
    const note = { invoice: number, lines: undefined, reason: 'Test', cause: randomUUID() };
    const asked = { largeFromCents: Number.MAX_SAFE_INTEGER };
    return { ...step, id: await issueCreditNote(database, note, asked, commandActor, at) };
  }
  if (action === 'bank line') {
    const text = `Date,Amount,Payee,Particulars,Code,Reference,Tran Type,This Party Account,Other Party Account,Serial,Transaction Code,Batch Number,Originating Bank/Branch,Processed Date
20/03/2031,140.00,PAYER,,,${step.cause.slice(0, 12)},DC,12-3456-7890123-00,,,,,,20/03/2031`;
    const file = { name: 'bank.csv', bytes: Buffer.from(text) };
    const { id } = await takeBankFile(database, file, commandActor, at);
    const { rows } = await database.query<{ id: number }>(
      sql`select id from bank_line where file_id = ${id}`,
    );
    return { ...step, id: rows[0]?.id as number };
  }
  // Its credit is of two sources; a reversal takes back a payment of an invoice, and more.
  const money = { account, day: addDays(dayOf(at), -1), method: 'bank_transfer' as const };
  const [one] = invoices as [Step['invoices'][0]];
  let id = 0;
  for (const cents of [12_000, 5_000]) {
    const parts = action === 'reversal' && id === 0 ? [{ invoice: one.number, cents: one.left_cents }] : [];
    const payment = { ...money, cents, allocations: parts, cause: randomUUID() };
    const asked = { confirmed: true, largeFromCents: Number.MAX_SAFE_INTEGER };
    const entry = await recordPayment(database, payment, asked, commandActor, at);
    id ||= entry;
  }
  return { ...step, id };
}

/** All that there is of an account, without numbers of its own. */
async function stateOf({ account, id, action }: Step) {
  const key = accountKey(account);
  const { rows } = await database.query(sql`
    select
      (select json_agg(json_build_array(e.kind, e.amount_cents, e.corrects is not null, p.on_day, p.gst_cents) order by e.id)
       from ledger_entry e left join payment p on p.entry_id = e.id where e.customer_id = ${account.id}) as entries,
      (select json_agg(json_build_array(i.month, a.amount_cents, a.to_entry is null) order by a.id)
       from allocation a left join invoice i on i.number = a.to_invoice
       where coalesce(a.from_entry, a.to_entry) in (select id from ledger_entry where customer_id = ${account.id})
         or a.from_credit_note in (select number from credit_note where account = ${key})) as allocations,
      (select json_agg(json_build_array(n.total_cents, n.undoes is null, (select count(*) from credit_note_line l where l.credit_note_number = n.number))
         order by number) from credit_note n where account = ${key}) as credit_notes,
      (select json_agg(template order by id) from mail_message where account = ${key}) as mail,
      (select json_agg(left_cents order by from_entry) from credit_left where account = ${key}) as credit,
      (select json_agg(json_build_array(i.month, o.left_cents) order by number) from open_invoice o join invoice i using (number)
       where i.account = ${key}) as open,
      (select json_agg(action order by id) from audit_event where customer_id = ${account.id}) as audit,
      (select count(*)::integer from bank_match where line_id = ${action === 'bank line' ? id : 0}) as matches`);
  return rows[0];
}

describe.runIf(onServers).each(actions)('in the middle of: %s', (action) => {
  test(`killed between any two statements, it is whole or not there, and once after it is asked for again (SEED=${seed})`, {
    timeout: 3_600_000,
  }, async () => {
    const undisturbed = await prepare(action);
    let statements = 0;
    const before = await stateOf(undisturbed);
    await doStep(
      numbered(database, (number) => {
        statements = number;
      }),
      undisturbed,
    );
    const after = await stateOf(undisturbed);
    expect(after).not.toEqual(before);
    expect(statements).toBeLessThanOrEqual(most);
    const moments = Array.from({ length: statements }, (_, index) => index + 1);
    // The last one is after its end, and before anybody knows.
    const chosen = [...moments.splice(-1), ...moments.sort(() => random.next() - 0.5)].slice(0, kills);
    const killed = { whole: 0, nothing: 0 };
    for (const killAt of chosen) {
      const step = await prepare(action);
      const url = place.env.DATABASE_URL as string;
      const process = runScript(['test/setup/money-step.ts', JSON.stringify({ url, step, killAt })], {});
      expect([await process.ended, process.output()]).toEqual(['SIGKILL', '']);
      const label = `before statement ${killAt} of ${statements}`;
      const isLast = killAt === statements;
      expect(await stateOf(step), label).toEqual(isLast ? after : before);
      killed[isLast ? 'whole' : 'nothing']++;
      // Asked for again, twice: it is done once.
      for (let time = 0; time < 2; time++) {
        const again = await doStep(database, step).then(
          () => 'done',
          (error: unknown) => (error instanceof CovermapError ? error.code : Promise.reject(error)),
        );
        const done = isLast || time > 0;
        expect(again === 'done', `${label}: ${again}`).toBe(!done);
        expect(await stateOf(step), label).toEqual(after);
      }
    }
    console.log(`${action}: ${chosen.length} kills at ${statements} moments, ${JSON.stringify(killed)}`);
  });
});
