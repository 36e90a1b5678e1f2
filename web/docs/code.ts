import { announce } from '../shared/announce.ts';
import { button } from '../shared/button.ts';
import { fill, h, newId } from '../shared/dom.ts';

export interface Sample {
  /** On its tab; an example that stands alone needs none. */
  label: string;
  source: string;
}

/** The language that was chosen last, on whichever example: the others follow. */
let chosen = '';
const all = new Set<(label: string) => void>();

/** The same example in several languages, with tabs, and a button that copies what is shown. */
export function codeTabs(samples: readonly Sample[]): HTMLElement {
  const id = newId('code');
  const code = h('code', {});
  const pre = h('pre', { tabindex: '0', id: `${id}-panel` }, code);
  let shown = samples.find(({ label }) => label === chosen) ?? (samples[0] as Sample);
  const copy = button('Copy', async () => {
    await navigator.clipboard.writeText(shown.source);
    announce('Copied');
    fill(copy, 'Copied');
    setTimeout(() => fill(copy, 'Copy'), 1500);
  });
  copy.classList.add('copy');
  const tabs = samples.length > 1 ? samples.map(tab) : [];
  const element = h(
    'div',
    { class: 'code' },
    h(
      'div',
      { class: 'code-head' },
      tabs.length > 0 && h('div', { role: 'tablist', 'aria-label': 'Language', class: 'code-tabs' }, ...tabs),
      copy,
    ),
    pre,
  );
  if (tabs.length > 0) pre.setAttribute('role', 'tabpanel');
  else pre.setAttribute('role', 'group');

  function tab({ label }: Sample, i: number): HTMLButtonElement {
    return h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${id}-${i}`,
        'aria-controls': `${id}-panel`,
        onclick: () => {
          chosen = label;
          for (const one of all) one(label);
        },
        onkeydown: ({ key }) => {
          const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
          if (step === 0) return;
          const next = tabs[(i + step + tabs.length) % tabs.length];
          next?.focus();
          next?.click();
        },
      },
      label,
    );
  }
  function show(label: string): void {
    const i = Math.max(
      0,
      samples.findIndex((one) => one.label === label),
    );
    shown = samples[i] as Sample;
    fill(code, shown.source);
    if (tabs.length === 0) {
      pre.setAttribute('aria-label', 'Example');
      return;
    }
    for (const [j, one] of tabs.entries()) {
      one.setAttribute('aria-selected', String(i === j));
      one.setAttribute('tabindex', i === j ? '0' : '-1');
    }
    pre.setAttribute('aria-labelledby', `${id}-${i}`);
  }
  // Those that are no longer on the page need not follow.
  all.add((label) => {
    if (element.isConnected) show(label);
  });
  show(shown.label);
  return element;
}
