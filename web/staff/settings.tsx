import { signal } from '@preact/signals';
import { dueWords, kindWords } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask, type Question } from '../shared/ui/dialog.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { NumberField, RadioGroup, Select, TextField } from '../shared/ui/fields.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count } from '../shared/words.ts';
import { Reason } from './fields.tsx';

type Settings = Awaited<ReturnType<typeof load>>;
type Change = Partial<Settings> & { reason?: string };
type Codes = Settings['account_codes'];

const load = () => api.get('/api/staff/settings');

/** Asks for a change of settings, and saves what the fields then hold. */
const edit = (question: Omit<Question, 'confirm' | 'done'>, change: () => Change) =>
  ask({ ...question, confirm: 'Save', done: 'Settings saved.' }, async () => {
    await api.patch('/api/staff/settings', { body: change() });
  });

/** What staff decide about billing. */
export function SettingsView({ billing }: { billing: Billing }) {
  const settings = useResource(load, 'here');
  return (
    <View title="Settings" lead="They hold for everybody from now on. The audit keeps who changed what.">
      <Loaded of={settings}>
        {(settings) => (
          <div class="stack large">
            <Invoices of={settings} />
            <Debtors of={settings} />
            <Books of={settings} lastDay={billing.today} />
            <Gst of={settings} />
            <AccountCodes of={settings.account_codes} />
          </div>
        )}
      </Loaded>
    </View>
  );
}

/** A reminder's day, in words. */
const stepWords = (days: number): string =>
  days === 0
    ? 'on the due date'
    : `${count(Math.abs(days), 'day')} ${days < 0 ? 'before' : 'after'} the due date`;

function Invoices({ of: { due_day, reminder_days } }: { of: Settings }) {
  const due = () => {
    const day = signal<number | undefined>(due_day);
    return edit(
      {
        title: 'When invoices are due',
        body: [
          'Invoices that are issued keep their due date.',
          <NumberField
            key="day"
            label="Day of the month after the invoice, 1 to 28"
            name="due-day"
            required
            value={day}
          />,
        ],
      },
      () => ({ due_day: day.value ?? Number.NaN }),
    );
  };
  const reminders = () => {
    const days = signal(reminder_days.join(', '));
    return edit(
      {
        title: 'When reminders are sent',
        body: [
          <TextField
            key="days"
            label="Days from the due date"
            name="reminder-days"
            hint="With a minus before the due date, as in -3, 3, 14, 30. Empty: no reminders."
            value={days}
          />,
        ],
      },
      () => ({
        reminder_days: days.value
          .split(/[\s,;]+/)
          .filter(Boolean)
          .map(Number),
      }),
    );
  };
  const steps = reminder_days.toSorted((a, b) => a - b).map(stepWords);
  return (
    <Card title="Invoices">
      <Facts
        list={[
          ['Due', dueWords({ due_day })],
          ['Reminders', steps.length > 0 ? steps.join('; ') : 'None.'],
        ]}
      />
      <div class="actions">
        <Button onClick={due}>Change due date</Button>
        <Button onClick={reminders}>Change reminders</Button>
      </div>
    </Card>
  );
}

const ledgers = [
  ['covermap', 'covermap', 'Payments are recorded and reconciled here.'],
  ['xero', 'Xero', 'Payments are recorded in Xero, and come back by its file under Books.'],
] as const;

function Debtors({ of: { debtors_ledger } }: { of: Settings }) {
  const change = () => {
    const ledger = signal<Settings['debtors_ledger']>(debtors_ledger);
    return edit(
      {
        title: 'Where the debtors’ ledger is',
        body: <RadioGroup legend="Debtors’ ledger" name="debtors-ledger" options={ledgers} value={ledger} />,
      },
      () => ({ debtors_ledger: ledger.value }),
    );
  };
  const [, name, meaning] = ledgers.find(([value]) => value === debtors_ledger) ?? ledgers[0];
  return (
    <Card title="Debtors’ ledger">
      <Facts
        list={[
          ['Ledger', name],
          ['Payments', meaning],
        ]}
      />
      <div class="actions">
        <Button onClick={change}>Change ledger</Button>
      </div>
    </Card>
  );
}

function Books({ of: { books_locked_through: locked }, lastDay }: { of: Settings; lastDay: string }) {
  const change = () => {
    const through = signal(locked);
    const reason = signal('');
    const isOpening = () => through.value < locked;
    const Why = () => (isOpening() ? <Reason hint="Shown in the audit." value={reason} /> : null);
    return edit(
      {
        title: 'Lock date',
        body: [
          'Nothing can be dated on or before this day any more. Lock the books when their GST return is filed.',
          <TextField
            key="through"
            label="Locked through"
            name="locked-through"
            type="date"
            hint="Empty: all days are open."
            max={lastDay}
            value={through}
          />,
          <Why key="why" />,
        ],
      },
      () => ({ books_locked_through: through.value, ...(isOpening() && { reason: reason.value }) }),
    );
  };
  return (
    <Card title="Lock date">
      <Facts list={[['Locked through', locked || 'Nothing is locked.']]} />
      <div class="actions">
        <Button onClick={change}>Change lock date</Button>
      </div>
    </Card>
  );
}

const bases = [
  ['invoice', 'Invoice', 'GST is due when it is invoiced.'],
  ['payments', 'Payments', 'GST is due when it is paid.'],
] as const;
const periods = [
  ['1', 'every month'],
  ['2', 'every two months'],
  ['6', 'every six months'],
] as const;

function Gst({ of: { gst_basis, gst_months } }: { of: Settings }) {
  const change = () => {
    const basis = signal<Settings['gst_basis']>(gst_basis);
    const months = signal<string>(String(gst_months));
    return edit(
      {
        title: 'GST returns',
        body: [
          <RadioGroup key="basis" legend="Accounting basis" name="gst-basis" options={bases} value={basis} />,
          <Select key="months" label="A return" name="gst-months" options={periods} value={months} />,
        ],
      },
      () => ({ gst_basis: basis.value, gst_months: Number(months.value) as Settings['gst_months'] }),
    );
  };
  return (
    <Card title="GST returns">
      <Facts
        list={[
          ['Accounting basis', bases.find(([value]) => value === gst_basis)?.[1]],
          ['A return', periods.find(([value]) => value === String(gst_months))?.[1]],
        ]}
      />
      <div class="actions">
        <Button onClick={change}>Change GST returns</Button>
      </div>
    </Card>
  );
}

const codeWords = (kind: string): string => kindWords[kind] ?? kind;

function AccountCodes({ of: codes }: { of: Codes }) {
  const kinds = Object.keys(codes) as (keyof Codes)[];
  const change = () => {
    const typed = kinds.map((kind) => [kind, signal(codes[kind])] as const);
    return edit(
      {
        title: 'Account codes',
        body: [
          'As in Xero’s chart of accounts. Xero’s files have them from now on.',
          ...typed.map(([kind, value]) => (
            <TextField
              key={kind}
              label={codeWords(kind)}
              name={`code-${kind}`}
              required
              maxLength={10}
              value={value}
            />
          )),
        ],
      },
      () => ({
        account_codes: Object.fromEntries(typed.map(([kind, { value }]) => [kind, value.trim()])) as Codes,
      }),
    );
  };
  return (
    <Card title="Account codes">
      <Facts list={kinds.map((kind) => [codeWords(kind), codes[kind]])} />
      <div class="actions">
        <Button onClick={change}>Change account codes</Button>
      </div>
    </Card>
  );
}
