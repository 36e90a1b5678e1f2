import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { asApiError } from '../client.ts';
import { Icon } from './icon.tsx';
import { linked } from './linked.tsx';

const tones = {
  info: ['Note', 'info'],
  good: ['Done', 'check'],
  warning: ['Warning', 'warning'],
  bad: ['Error', 'error'],
} as const;
export type Tone = keyof typeof tones;

/** A state in a word or two. */
export function Badge({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={tone ? `badge ${tone}` : 'badge'}>{children}</span>;
}

export interface NoticeProps {
  tone: Tone;
  title: ComponentChildren;
  text?: ComponentChildren;
  children?: ComponentChildren;
}

/** Something to know, with what can be done about it. Bad news are said at once. */
export function Notice({ tone, title, text, children }: NoticeProps) {
  const [word, icon] = tones[tone];
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon name={icon} />
      <div class="notice-body">
        <p class="notice-title">
          <span class="visually-hidden">{word}: </span>
          {linked(title)}
        </p>
        {text && <p>{linked(text)}</p>}
        {children && <div class="actions">{children}</div>}
      </div>
    </div>
  );
}

export interface ShownError {
  message: string;
  hint?: string | undefined;
}

/** An error in words, with its hint and what can be done about it; nothing where there is none. */
export function ErrorNotice({
  error,
  children,
}: {
  error: ShownError | undefined;
  children?: ComponentChildren;
}) {
  return error ? (
    <Notice tone="bad" title={error.message} text={error.hint}>
      {children}
    </Notice>
  ) : null;
}

/** Does what may fail, and keeps why it did the last time: for an ErrorNotice. `refuse` says why it is not even tried. */
export function useAttempt() {
  const error = useSignal<ShownError | undefined>(undefined);
  return {
    error,
    refuse(message: string): void {
      error.value = { message };
    },
    async attempt(act: () => Promise<unknown>): Promise<void> {
      error.value = undefined;
      try {
        await act();
      } catch (caught) {
        error.value = asApiError(caught);
      }
    },
  };
}

/** Lists the problems of a form, each as a link to the field. Gets the focus whenever the list changes, so that it is read. */
export function ErrorSummary({ problems }: { problems: readonly { id: string; text: string }[] }) {
  const element = useRef<HTMLDivElement>(null);
  // Each list is read anew.
  useLayoutEffect(() => element.current?.focus(), [problems]);
  if (problems.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={element}>
      <div class="notice-body">
        <p class="notice-title">Check these fields:</p>
        <ul class="plain-list">
          {problems.map(({ id, text }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  // The address behind # is the page's own way to its views.
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                }}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
