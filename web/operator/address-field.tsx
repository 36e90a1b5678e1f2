import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { mapLookup } from '../shared/map/lookup.ts';
import { type Choice, suggestionsOf } from '../shared/suggestions.ts';
import { Combobox } from '../shared/ui/combobox.tsx';

export interface ChosenAddress {
  id: string;
  text: string;
}

/** A field that finds an address of the list as somebody types. @param token of the map's settings */
export function AddressField({
  label,
  token,
  chosen,
}: {
  label: string;
  token: string;
  chosen: Signal<ChosenAddress | undefined>;
}) {
  const text = useSignal('');
  const choices = useSignal<Choice[]>([]);
  const isOpen = useSignal(false);
  const lookup = useMemo(() => mapLookup(api, token), [token]);
  const suggestions = useMemo(
    () =>
      suggestionsOf(
        async (text, signal) => (await lookup.addresses(text, undefined, signal)).results,
        (found = []) => {
          choices.value = found.flatMap(({ id, text }) => (id === null ? [] : [{ key: id, text }]));
        },
      ),
    [lookup],
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
