import { h, icon, icons } from './dom.ts';

export type Tone = 'info' | 'good' | 'warning' | 'bad';

const toneIcons = { info: icons.info, good: icons.check, warning: icons.warning, bad: icons.error };
const toneWords = { info: 'Note', good: 'Done', warning: 'Warning', bad: 'Error' };

/** Something to know, with what can be done about it. Bad news are said at once. */
export function notice(
  tone: Tone,
  title: string,
  text: string | undefined = undefined,
  ...actions: (Node | undefined)[]
): HTMLElement {
  return h(
    'div',
    { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : 'note' },
    icon(toneIcons[tone]),
    h(
      'div',
      { class: 'notice-body' },
      h(
        'p',
        { class: 'notice-title' },
        h('span', { class: 'visually-hidden' }, `${toneWords[tone]}: `),
        title,
      ),
      text ? h('p', {}, text) : null,
      actions.length > 0 ? h('div', { class: 'actions' }, ...actions) : null,
    ),
  );
}

/** An error in words, with its hint. */
export function errorNotice(
  error: { message: string; hint?: string | undefined },
  ...actions: (Node | undefined)[]
): HTMLElement {
  return notice('bad', error.message, error.hint, ...actions);
}
