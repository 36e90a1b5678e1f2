import type { ComponentChildren } from 'preact';

export interface FactsProps {
  list: readonly (readonly [term: string, what: ComponentChildren])[];
  layout?: 'across' | 'compact';
}

const nothing: readonly unknown[] = [null, undefined, false, ''];

export function Facts({ list, layout }: FactsProps) {
  return (
    <dl class={layout ? `facts ${layout}` : 'facts'}>
      {list.map(
        ([term, what]) =>
          !nothing.includes(what) && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{what}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export type Figure = { label: string; value: string; note?: string | undefined };

/** The most important figures, side by side. */
export function Figures({ list }: { list: readonly Figure[] }) {
  return (
    <dl class="figures">
      {list.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="figure-value">{value}</dd>
          {note && <dd class="hint">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
