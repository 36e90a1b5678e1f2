import { useRef } from 'preact/hooks';
import type { Key } from '../schemas.ts';
import { CopyButton } from '../ui/button.tsx';
import { ask, type Question, tell } from '../ui/dialog.tsx';
import { Badge, Notice } from '../ui/notice.tsx';

/** Asks before creating a key or a token, then shows it once. @param shown a title and a sentence for that */
export async function makeSecret(
  question: Question,
  make: () => Promise<{ secret: string }>,
  shown: () => [title: string, sentence?: string],
): Promise<void> {
  let secret = '';
  const done = await ask(question, async () => {
    ({ secret } = await make());
  });
  if (!done) return;
  const [title, sentence] = shown();
  await tell(
    title,
    <>
      <Secret title={title} secret={secret} />
      <Notice tone="warning" title="Copy it now; it won’t be shown again." />
      {sentence && <p>{sentence}</p>}
    </>,
    'Done',
  );
}

/** A secret in a line, or a text with one, of which every line is shown. */
function Secret({ title, secret }: { title: string; secret: string }) {
  const line = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const lines = secret.split('\n').length;
  const field = lines > 1 ? text : line;
  const shown = {
    ...{ class: 'secret', readOnly: true, value: secret, 'aria-label': title, spellcheck: false },
    onFocus: () => field.current?.select(),
  };
  return (
    <div class="secret-row">
      {lines > 1 ? (
        // A line may be wrapped.
        <textarea ref={text} rows={lines + 3} {...shown} />
      ) : (
        <input ref={line} type="text" {...shown} />
      )}
      <CopyButton text={() => secret} onRefused={() => field.current?.select()}>
        Copy
      </CopyButton>
    </div>
  );
}

const states = {
  active: ['Active', 'good'],
  expiring: ['Expiring', 'warning'],
  expired: ['Expired', undefined],
  revoked: ['Revoked', undefined],
} as const;

export function SecretState({ of }: { of: Key['state'] }) {
  const [name, tone] = states[of];
  return <Badge tone={tone}>{name}</Badge>;
}
