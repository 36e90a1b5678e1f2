import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../announce.ts';
import { icons } from '../icons.ts';
import { Button } from '../ui/button.tsx';
import { tell } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** Shows a key or a token, which nobody can be shown again. Resolves when it has been closed. */
export function showSecret(title: string, secret: string, sentence?: string): Promise<void> {
  return tell(
    title,
    <>
      <Secret title={title} secret={secret} />
      <Notice tone="warning" title="Copy it now; it won’t be shown again." />
      {sentence && <p>{sentence}</p>}
    </>,
    'Done',
  );
}

function Secret({ title, secret }: { title: string; secret: string }) {
  const field = useRef<HTMLInputElement>(null);
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      announce('Copied.');
      isCopied.value = true;
    } catch {
      // Browsers allow it on https and on this machine only: then it is at least selected.
      field.current?.select();
    }
  };
  return (
    <div class="secret-row">
      <input
        ref={field}
        class="secret"
        type="text"
        readOnly
        value={secret}
        aria-label={title}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon={icons.copy} onClick={copy}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
