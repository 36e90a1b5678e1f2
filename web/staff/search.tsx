import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { money } from '../shared/billing/words.ts';
import { api, asApiError } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { FoundThing } from '../shared/schemas.ts';
import { type Choice, suggestionsOf } from '../shared/suggestions.ts';
import { Combobox } from '../shared/ui/combobox.tsx';

/** Each kind: what it is called above its results, where a result is shown, and what names that say nothing of it are. */
const kinds: Record<FoundThing['kind'], { group: string; note?: string; href(thing: FoundThing): string }> = {
  customer: { group: 'Customers', note: 'customer', href: ({ id }) => `/staff#/customers/${id}` },
  operator: {
    group: 'Operators',
    note: 'operator',
    href: ({ title }) => `/staff#/fees?${new URLSearchParams({ q: title })}`,
  },
  invoice: { group: 'Invoices', href: ({ id }) => `/staff#/invoices/${id}` },
  credit_note: { group: 'Credit notes', href: ({ id }) => `/staff#/credit-notes/${id}` },
  payment: { group: 'Payments', href: ({ id }) => `/staff#/payments/${id}` },
  fee: {
    group: 'Processing fees',
    href: ({ note }) => `/staff#/fees?${new URLSearchParams({ q: note })}`,
  },
  file: { group: 'Files', href: ({ id }) => `/operator#/submission/${id}` },
};

type Linked = Choice & { href: string };

const linked = (thing: FoundThing): Linked => {
  const { kind, id, title, note, amount_cents: cents } = thing;
  const { group, href, note: called } = kinds[kind];
  const notes = [called, note, cents !== null && money(cents)].filter(Boolean).join(', ');
  return { key: `${kind} ${id}`, text: title, note: notes, group, href: href(thing) };
};

/** The field in the head that finds anything of billing as somebody types; a result is opened. */
export function StaffSearch() {
  const text = useSignal('');
  const choices = useSignal<Linked[]>([]);
  const isOpen = useSignal(false);
  /** Said below the field: that nothing was found, or why it failed. */
  const quiet = useSignal('');
  const suggestions = useMemo(
    () =>
      suggestionsOf(
        async (q, signal) => (await api.get('/api/staff/search', { query: { q }, signal })).found,
        (found, error) => {
          choices.value = (found ?? []).map(linked);
          quiet.value = error ? asApiError(error).message : found?.length === 0 ? 'Nothing found.' : '';
        },
        1,
      ),
    [],
  );
  return (
    <search class="head-search">
      <Combobox
        id="staff-search"
        field={{ 'aria-label': 'Search', placeholder: 'Name, number, amount, file' }}
        text={text.value}
        choices={choices.value}
        isOpen={isOpen.value}
        onType={(typed) => {
          text.value = typed;
          quiet.value = '';
          isOpen.value = true;
          suggestions.type(typed);
        }}
        onChoose={({ href }) => {
          text.value = '';
          choices.value = [];
          suggestions.stop();
          location.assign(href);
        }}
        onOpen={(open) => set(isOpen, open)}
      />
      <p class={quiet.value && isOpen.value ? 'small muted' : 'visually-hidden'} role="status">
        {quiet.value}
      </p>
    </search>
  );
}
