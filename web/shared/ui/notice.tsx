import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { asApiError } from '../client.ts';
import { FocusLink } from './focus-link.tsx';
import { Icon } from './icon.tsx';
import { linked } from './linked.tsx';

const tones = {
  info: ['Note', 'info'],
  good: ['Done', 'check'],
  warning: ['Warning', 'warning'],
  bad: ['Error', 'error'],
} as const;
export type Tone = keyof typeof tones;

export function Badge({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={tone ? `badge ${tone}` : 'badge'}>{children}</span>;
}

export interface NoticeProps {
  tone: Tone;
  title: ComponentChildren;
  text?: ComponentChildren;
  children?: ComponentChildren;
}

/** A notice with actions. Bad news is announced at once. */
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

export type ShownError = { message: string; hint?: string | undefined };

type ErrorNoticeProps = { error: ShownError | undefined; children?: ComponentChildren };

const sentences = /[^.]+\.?\s*/g;
/** A sentence of a hint that names a request or a field of it is for programs. */
const forPrograms = /(?:GET|POST) \/api|"confirm"/;
export const forPeople = (hint: string) =>
  hint.replace(sentences, (sentence) => (forPrograms.test(sentence) ? '' : sentence));

/** An error in words, with its hint and actions; nothing without an error. */
export function ErrorNotice({ error, children }: ErrorNoticeProps) {
  return error ? (
    <Notice tone="bad" title={error.message} text={error.hint ? forPeople(error.hint) : undefined}>
      {children}
    </Notice>
  ) : null;
}

/** Runs an action that may fail, and keeps its last error for an ErrorNotice. `refuse` sets an error without trying. */
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

/** Lists a form's problems as links to the fields. Gets the focus whenever the list changes, so that it is read. */
export function ErrorSummary({ problems }: { problems: readonly { id: string; text: string }[] }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => element.current?.focus(), [problems]);
  if (problems.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={element}>
      <div class="notice-body">
        <p class="notice-title">Check these fields:</p>
        <ul class="plain-list">
          {problems.map(({ id, text }) => (
            <li key={id}>
              <FocusLink to={id}>{text}</FocusLink>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
