import { asApiError } from './api.ts';
import { button } from './button.ts';
import { fill, h, newId } from './dom.ts';
import { errorNotice } from './notice.ts';

export interface Question {
  title: string;
  /** Sentences, or elements, fields among them. */
  body: (string | Node)[];
  /** The button that does it, as a verb. */
  confirm: string;
  danger?: boolean;
}

/**
 * Asks before something that others will see, or for what is needed to do it. What it does is done while the question is
 * open, and where it fails the question says why.
 * @returns whether it was done
 */
export function ask({ title, body, confirm, danger }: Question, act: () => Promise<void>): Promise<boolean> {
  const problem = h('div', {});
  let done = false;
  const doIt = button(
    confirm,
    async () => {
      if (!form.reportValidity()) return;
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
  // So that Enter in a field does it, too.
  doIt.type = 'submit';
  const form: HTMLFormElement = h(
    'form',
    { class: 'dialog-body', novalidate: true, onsubmit: (event) => event.preventDefault() },
    ...body.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)),
    problem,
    h(
      'div',
      { class: 'actions end' },
      button('Cancel', () => dialog.close()),
      doIt,
    ),
  );
  const dialog = openDialog(title, form);
  (form.querySelector<HTMLElement>('input, select, textarea') ?? doIt).focus();
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(done)));
}

/** Shows something that has to be noticed before anything else is done. Resolves when it has been closed. */
export function tell(title: string, body: (string | Node)[], close: string): Promise<void> {
  const closer = button(close, () => dialog.close(), { kind: 'primary' });
  const dialog = openDialog(
    title,
    h(
      'div',
      { class: 'dialog-body' },
      ...body.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)),
      h('div', { class: 'actions end' }, closer),
    ),
  );
  // Escape is pressed too easily for something that is shown only once.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve()));
}

function openDialog(title: string, body: HTMLElement): HTMLDialogElement {
  const titleId = newId('dialog');
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': titleId },
    h('h2', { id: titleId }, title),
    body,
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}
