import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { set } from '../field-value.ts';
import { TextField } from '../ui/fields.tsx';

/** The pause in somebody's typing after which a list is searched. */
const pauseMs = 250;

type SearchFieldProps = { label: string; placeholder?: string; q: Signal<string> };

/** Searches a list by name, number and amount. @param q what is searched, kept in the address */
export function SearchField({ label, q, placeholder }: SearchFieldProps) {
  const typed = useSignal(q.value);
  useEffect(() => {
    const follow = q.subscribe((value) => set(typed, value));
    return follow;
  }, [q, typed]);
  useSignalEffect(() => {
    const text = typed.value.trim();
    const timer = setTimeout(() => set(q, text), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <TextField label={label} name="q" type="search" maxLength={100} {...{ placeholder }} value={typed} />
  );
}
