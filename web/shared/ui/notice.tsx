import type { ComponentChildren } from 'preact';
import { icons } from '../icons.ts';
import { Icon } from './icon.tsx';

export type Tone = 'info' | 'good' | 'warning' | 'bad';

const toneIcons = { info: icons.info, good: icons.check, warning: icons.warning, bad: icons.error };
const toneWords = { info: 'Note', good: 'Done', warning: 'Warning', bad: 'Error' };

export interface NoticeProps {
  tone: Tone;
  title: ComponentChildren;
  text?: ComponentChildren;
  /** What can be done about it: buttons and links. */
  children?: ComponentChildren;
}

/** Something to know, with what can be done about it. Bad news are said at once. */
export function Notice({ tone, title, text, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon path={toneIcons[tone]} />
      <div class="notice-body">
        <p class="notice-title">
          <span class="visually-hidden">{toneWords[tone]}: </span>
          {title}
        </p>
        {text && <p>{text}</p>}
        {children && <div class="actions">{children}</div>}
      </div>
    </div>
  );
}
