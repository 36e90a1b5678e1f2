import { type ReadonlySignal, signal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../announce.ts';
import { set } from '../field-value.ts';
import { Button } from './button.tsx';
import { ErrorNotice, useAttempt } from './notice.tsx';

export interface Question {
  title: string;
  /** Strings become paragraphs; fields hold their values in signals. */
  body: ComponentChildren;
  /** The label of the button that acts: a verb and its object. */
  confirm: string | ReadonlySignal<string>;
  danger?: boolean;
  /** The label of the button that cancels; "Cancel" by default. */
  cancel?: string;
  done?: string;
}

interface OpenDialog extends Question {
  /** Absent for a mere notice: then `confirm` closes it. */
  act?(): Promise<unknown>;
  resolve(done: boolean): void;
}

const open = signal<readonly OpenDialog[]>([]);

function show(dialog: Omit<OpenDialog, 'resolve'>): Promise<boolean> {
  return new Promise((resolve) => set(open, [...open.value, { ...dialog, resolve }]));
}

/** Asks for a confirmation or for input, then acts; shows the error if that fails. @returns true if it was done */
export function ask(question: Question, act: () => Promise<unknown>): Promise<boolean> {
  return show({ ...question, act });
}

/** Shows a notice that must be read first. Resolves when it is closed. */
export async function tell(title: string, body: ComponentChildren, close: string): Promise<void> {
  await show({ title, body, confirm: close });
}

export function closeDialogs(): void {
  for (const dialog of open.value) dialog.resolve(false);
  open.value = [];
}

/** Renders the open dialogs; used once on a page. */
export function Dialogs() {
  return open.value.map((dialog) => <Dialog key={dialog.resolve} {...dialog} />);
}

function Dialog({ title, body, confirm, danger, cancel = 'Cancel', done, act, resolve }: OpenDialog) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { error, attempt } = useAttempt();
  const isDone = useRef(false);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const first = dialog.current?.querySelector<HTMLElement>('.dialog-content :is(input, select, textarea)');
    (first ?? dialog.current?.querySelector<HTMLElement>('.actions.end > :last-child'))?.focus();
  }, []);
  const end = () => dialog.current?.close();
  const closed = () => {
    open.value = open.value.filter((one) => one.resolve !== resolve);
    // Announcements outside an open dialog are not read, so this comes after.
    if (isDone.current && done) announce(done);
    resolve(isDone.current);
  };
  const doIt = async () => {
    if (!act) return end();
    if (!dialog.current?.querySelector('form')?.reportValidity()) return;
    await attempt(async () => {
      await act();
      isDone.current = true;
      end();
    });
  };
  const content = toChildArray(body).map((part) =>
    typeof part === 'string' ? <p key={part}>{part}</p> : part,
  );
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={closed}
      // Escape is too easily pressed for a text that is shown only once.
      onCancel={(event) => !act && event.preventDefault()}
    >
      <h2 id={id}>{title}</h2>
      <form class="dialog-body" noValidate onSubmit={(event) => event.preventDefault()}>
        <div class="dialog-content">{content}</div>
        <ErrorNotice error={error.value} />
        <div class="actions end">
          {act && <Button onClick={end}>{cancel}</Button>}
          <Button type={act ? 'submit' : 'button'} kind={danger ? 'danger' : 'primary'} onClick={doIt}>
            {confirm}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
