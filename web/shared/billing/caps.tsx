import { type Signal, signal } from '@preact/signals';
import type { CapUse } from '../schemas.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import { NumberField, RadioGroup } from '../ui/fields.tsx';
import { Badge } from '../ui/notice.tsx';
import { Card } from '../ui/view.tsx';
import { Loaded, useResource } from '../use-resource.tsx';
import { number } from '../words.ts';
import { money } from './words.ts';

type CapTerms = { queries?: number; budget_cents?: number; only_warns: boolean };
type Side = CapUse['set_by'];

interface CapsProps {
  /** Whose page it is: it changes that side's cap. */
  by: Side;
  load(): Promise<{ caps: CapUse[] }>;
  set(cap: CapTerms): Promise<unknown>;
  remove(): Promise<unknown>;
}

export const isRefusedAtCap = (caps: readonly CapUse[]): boolean =>
  caps.some(({ reached, only_warns }) => reached && !only_warns);

const titles: Record<Side, Record<Side, string>> = {
  customer: { customer: 'Your cap', staff: 'Cap set by the service' },
  staff: { customer: 'The customer’s own cap', staff: 'Cap set by staff' },
};

/** The caps of a month and how far they are used; the page's own can be changed. */
export function Caps({ by, load, set, remove }: CapsProps) {
  const caps = useResource(load, 'here');

  function edit(known: CapUse | undefined): Promise<boolean> {
    const unit = signal<'dollars' | 'queries'>(known && known.queries !== null ? 'queries' : 'dollars');
    const amount = signal<number | undefined>(
      known ? (known.queries ?? (known.budget_cents as number) / 100) : undefined,
    );
    const at = signal<'refuse' | 'warn'>(known?.only_warns ? 'warn' : 'refuse');
    return ask(
      {
        title: 'Monthly cap',
        body: <CapFields key="fields" {...{ unit, amount, at }} />,
        confirm: 'Save cap',
        done: 'Cap saved.',
      },
      () => {
        const typed = amount.value ?? Number.NaN;
        const isDollars = unit.value === 'dollars';
        const amountOf = isDollars ? { budget_cents: Math.round(typed * 100) } : { queries: typed };
        return set({ ...amountOf, only_warns: at.value === 'warn' });
      },
    );
  }
  const end = () =>
    ask(
      {
        title: 'Remove the cap?',
        body: 'Queries past the plan are answered and charged as overage.',
        confirm: 'Remove cap',
        cancel: 'Keep cap',
        done: 'Cap removed.',
      },
      remove,
    );
  return (
    <Card title="Monthly cap">
      <Loaded of={caps}>
        {({ caps }) => {
          const own = caps.find(({ set_by }) => set_by === by);
          return (
            <>
              {caps.length === 0 && <p class="muted">None. Queries past the plan are charged as overage.</p>}
              {caps.map((cap) => (
                <CapBar key={cap.set_by} title={titles[by][cap.set_by]} cap={cap} />
              ))}
              {caps.length > 1 && <p class="small muted">The smaller one holds.</p>}
              <div class="actions">
                <Button onClick={() => edit(own)}>{own ? 'Change cap' : 'Set a cap'}</Button>
                {own && <Button onClick={end}>Remove cap</Button>}
              </div>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function CapBar({ title, cap }: { title: string; cap: CapUse }) {
  const { queries, budget_cents: budget, max_queries: max, used, left, only_warns: warns, reached } = cap;
  const size = budget === null ? `${number(queries as number)} queries` : `${money(budget)} (excl. GST)`;
  const words = max !== null && `${number(used)} of ${number(max)} queries used, ${number(left ?? 0)} left.`;
  return (
    <div class="stack close">
      <div class="between">
        <strong>
          {title}: {size}
        </strong>
        {reached && <Badge tone="warning">{warns ? 'Passed' : 'Reached'}</Badge>}
      </div>
      {max !== null && (
        // biome-ignore lint/a11y/useSemanticElements: as the bar of the bundle beside it
        <div
          class="bundle"
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={Math.max(max, used)}
          aria-valuenow={used}
          aria-valuetext={words || undefined}
        >
          <div class="bundle-used" style={{ width: `${Math.min(100, (100 * used) / Math.max(max, 1))}%` }} />
        </div>
      )}
      <p class="small muted">
        {words}{' '}
        {warns ? 'At the cap keys are still answered.' : 'At the cap keys are refused until the month ends.'}
      </p>
    </div>
  );
}

type CapFieldsProps = {
  unit: Signal<'dollars' | 'queries'>;
  amount: Signal<number | undefined>;
  at: Signal<'refuse' | 'warn'>;
};

function CapFields({ unit, amount, at }: CapFieldsProps) {
  const isDollars = unit.value === 'dollars';
  return (
    <>
      <RadioGroup
        legend="A cap of"
        name="cap-unit"
        options={[
          [
            'dollars',
            'Dollars a month',
            'Plan fee and overage, excluding GST. What a plan includes is never refused.',
          ],
          ['queries', 'Queries a month', 'All queries, also free and included ones.'],
        ]}
        value={unit}
      />
      <NumberField
        label={isDollars ? 'Dollars a month (excl. GST)' : 'Queries a month'}
        name="cap-amount"
        required
        value={amount}
      />
      <RadioGroup
        legend="At the cap"
        name="cap-at"
        options={[
          [
            'refuse',
            'Refuse lookups',
            'Keys get the error 429 until the month ends in New Zealand, or the cap is raised.',
          ],
          ['warn', 'Only warn', 'Lookups go on, and are charged.'],
        ]}
        value={at}
      />
    </>
  );
}
