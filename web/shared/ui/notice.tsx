import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { icons } from '../icons.ts';
import { Icon } from './icon.tsx';
import { linked } from './linked.tsx';

const tones = {
  info: ['Note', icons.info],
  good: ['Done', icons.check],
  warning: ['Warning', icons.warning],
  bad: ['Error', icons.error],
} as const;

export interface NoticeProps {
  tone: keyof typeof tones;
  title: ComponentChildren;
  text?: ComponentChildren;
  children?: ComponentChildren;
}

/** Something to know, with what can be done about it. Bad news are said at once. */
export function Notice({ tone, title, text, children }: NoticeProps) {
  const [word, icon] = tones[tone];
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon path={icon} />
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

type ErrorNoticeProps = { error: ShownError | undefined; children?: ComponentChildren };

/** An error in words, with its hint and what can be done about it; nothing where there is none. */
export function ErrorNotice({ error, children }: ErrorNoticeProps) {
  return error ? (
    <Notice tone="bad" title={error.message} text={error.hint}>
      {children}
    </Notice>
  ) : null;
}

/** What is wrong with a form, each a link to the field. Gets the focus whenever there is another list, so that it is read. */
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
