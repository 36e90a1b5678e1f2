import { computed, signal } from '@preact/signals';
import { TextField } from '../shared/ui/fields.tsx';

/** A reference for the entry of a dialog, so that confirming again after a lost answer does not post it twice. */
export const newReference = () => `page ${Date.now()}`;

export type Amount = ReturnType<typeof makeAmount>;

/** A typed amount in dollars; a large one is typed twice. */
export function makeAmount(confirmFromCents: number, dollars = '') {
  const typed = signal(dollars);
  return { typed, again: signal(''), isLarge: computed(() => centsOf(typed.value) >= confirmFromCents) };
}

export function AmountFields({ label, amount }: { label: string; amount: Amount }) {
  const options = { required: true, inputMode: 'decimal', pattern: '[0-9]+([.][0-9]{1,2})?' } as const;
  return (
    <>
      <TextField label={label} name="amount" hint="e.g. 25 or 12.50" {...options} value={amount.typed} />
      {amount.isLarge.value && (
        <TextField
          label="Repeat the amount"
          name="amount-again"
          hint="This is a large amount: enter it again."
          {...options}
          value={amount.again}
        />
      )}
    </>
  );
}

export function amountsOf({ typed, again, isLarge }: Amount) {
  const amount = { amount_cents: centsOf(typed.value) };
  return isLarge.value ? { ...amount, confirm_amount_cents: centsOf(again.value) } : amount;
}

/** Dollars with up to two decimals as cents; digit by digit, to avoid rounding. */
export function centsOf(dollars: string): number {
  const [whole = '', part = ''] = dollars.trim().split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
