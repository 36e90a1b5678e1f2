import { signal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../announce.ts';
import { set } from '../field-value.ts';
import { Button } from './button.tsx';
import { ErrorNotice, useAttempt } from './notice.tsx';

export interface Question {
  title: string;
  /** Texts become paragraphs; fields hold their values in signals. */
  body: ComponentChildren;
  /** The button that does it, as a verb and what it is done with. */
  confirm: string;
  danger?: boolean;
  /** The button that leaves all as it is; "Cancel" unless given. */
  cancel?: string;
  done?: string;
}

interface OpenDialog extends Question {
  /** Absent where something has only to be noticed: then `confirm` closes it. */
  act?(): Promise<unknown>;
  resolve(done: boolean): void;
}

const open = signal<readonly OpenDialog[]>([]);

function show(dialog: Omit<OpenDialog, 'resolve'>): Promise<boolean> {
  return new Promise((resolve) => set(open, [...open.value, { ...dialog, resolve }]));
}

/** Asks before something is done, or for what is needed to do it; says why where that fails. @returns whether it was done */
export function ask(question: Question, act: () => Promise<unknown>): Promise<boolean> {
  return show({ ...question, act });
}

/** Shows something that has to be noticed before anything else is done. Resolves when it has been closed. */
export async function tell(title: string, body: ComponentChildren, close: string): Promise<void> {
  await show({ title, body, confirm: close });
}

/** Closes what is open, as if it had been cancelled. */
export function closeDialogs(): void {
  for (const dialog of open.value) dialog.resolve(false);
  open.value = [];
}

/** Shows the open dialogs; a page has it once. */
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
    // While the dialog is open, nothing outside it is heard.
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
      // Escape is pressed too easily for something that is shown only once.
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
