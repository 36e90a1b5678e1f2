import type { ComponentChildren } from 'preact';

export interface FactsProps {
  list: readonly (readonly [term: string, what: ComponentChildren])[];
  layout?: 'across' | 'compact';
}

const nothing: readonly unknown[] = [null, undefined, false, ''];

/** Facts about one thing, each a term and what it is. */
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
