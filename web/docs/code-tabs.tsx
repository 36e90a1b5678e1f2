import { signal } from '@preact/signals';
import { render } from 'preact';
import { useId } from 'preact/hooks';
import { CopyButton } from '../shared/ui/button.tsx';

export interface Sample {
  /** The name of its tab. */
  label: string;
  source: string;
}

/** The language chosen last, which all examples show. */
const chosen = signal('');

/** Renders an example into an element outside Preact. */
export function showCodeTabs(place: HTMLElement, samples: readonly Sample[]): void {
  render(<CodeTabs samples={samples} />, place);
}

/** One example in several languages, with tabs and a button that copies. */
function CodeTabs({ samples }: { samples: readonly Sample[] }) {
  const id = useId();
  const wanted = samples.findIndex(({ label }) => label === chosen.value);
  const open = Math.max(0, wanted);
  const source = samples[open]?.source ?? '';
  const hasTabs = samples.length > 1;
  const panel = hasTabs
    ? ({ role: 'tabpanel', 'aria-labelledby': `${id}-${open}` } as const)
    : ({ role: 'group', 'aria-label': 'Example' } as const);
  return (
    <div class="box code">
      <div class="between code-head">
        {hasTabs && <Tabs id={id} labels={samples.map(({ label }) => label)} open={open} />}
        <CopyButton key={source} class="copy" text={() => source}>
          Copy
        </CopyButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard where it is wider than its place */}
      <pre id={`${id}-panel`} tabIndex={0} {...panel}>
        <code>{source}</code>
      </pre>
    </div>
  );
}

function Tabs({ id, labels, open }: { id: string; labels: readonly string[]; open: number }) {
  const turn = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = (open + step + labels.length) % labels.length;
    chosen.value = labels[next] as string;
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label="Language" class="code-tabs">
      {labels.map((label, i) => (
        <button
          key={label}
          type="button"
          role="tab"
          class="bare-button"
          id={`${id}-${i}`}
          aria-controls={`${id}-panel`}
          aria-selected={i === open}
          tabIndex={i === open ? 0 : -1}
          onClick={() => {
            chosen.value = label;
          }}
          onKeyDown={turn}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
