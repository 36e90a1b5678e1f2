import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { type Choice, suggestionsOf } from '../shared/suggestions.ts';
import { Combobox } from '../shared/ui/combobox.tsx';

export interface ChosenAddress {
  id: string;
  text: string;
}

/** A field that finds an address of the list as somebody types. */
export function AddressField({
  label,
  chosen,
}: {
  label: string;
  chosen: Signal<ChosenAddress | undefined>;
}) {
  const text = useSignal('');
  const choices = useSignal<Choice[]>([]);
  const isOpen = useSignal(false);
  const suggestions = useMemo(
    () =>
      suggestionsOf(
        async (q, signal) => (await api.get('/api/map/addresses', { query: { q }, signal })).results,
        (found = []) => {
          choices.value = found.flatMap(({ id, text }) => (id === null ? [] : [{ key: id, text }]));
        },
      ),
    [],
  );
  useEffect(() => {
    if (!chosen.value) text.value = '';
  }, [chosen.value]);
  return (
    <div class="field">
      <label for="excluded-address">{label}</label>
      <Combobox
        id="excluded-address"
        text={text.value}
        choices={choices.value}
        isOpen={isOpen.value}
        onType={(typed) => {
          text.value = typed;
          set(chosen, undefined);
          suggestions.type(typed);
          isOpen.value = true;
        }}
        onChoose={({ key, text: of }) => {
          text.value = of;
          set(chosen, { id: key, text: of });
        }}
        onOpen={(open) => set(isOpen, open)}
      />
    </div>
  );
}
