import { asApiError } from './api.ts';
import { button } from './button.ts';
import { fill, h, newId } from './dom.ts';
import { errorNotice } from './notice.ts';

export interface Question {
  title: string;
  /** Sentences, or elements. */
  body: (string | Node)[];
  /** The button that does it, as a verb. */
  confirm: string;
  danger?: boolean;
}

/**
 * Asks before something that others will see. What it does is done while the question is open, and where it fails the
 * question says why.
 * @returns whether it was done
 */
export function ask({ title, body, confirm, danger }: Question, act: () => Promise<void>): Promise<boolean> {
  const titleId = newId('dialog');
  const problem = h('div', {});
  let done = false;
  const doIt = button(
    confirm,
    async () => {
      fill(problem);
      try {
        await act();
        done = true;
        dialog.close();
      } catch (error) {
        fill(problem, errorNotice(asApiError(error)));
      }
    },
    { kind: danger ? 'danger' : 'primary' },
  );
  const dialog: HTMLDialogElement = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': titleId },
    h('h2', { id: titleId }, title),
    ...body.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)),
    problem,
    h(
      'div',
      { class: 'actions end' },
      button('Cancel', () => dialog.close()),
      doIt,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  doIt.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(done);
    });
  });
}
