import { signal, useSignal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { CovermapApiError } from '../../../client/client.ts';
import { asApiError } from '../client.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

export interface Question {
  title: string;
  /** Texts become paragraphs; fields hold their values in signals. */
  body: ComponentChildren;
  /** The button that does it, as a verb and what it is done with. */
  confirm: string;
  danger?: boolean;
  /** The button that leaves all as it is; "Cancel" unless given. */
  cancel?: string;
}

interface OpenDialog {
  title: string;
  body: ComponentChildren;
  question?: Omit<Question, 'title' | 'body'> & { act(): Promise<unknown> };
  /** The only button of what has to be noticed. */
  close?: string;
  resolve(done: boolean): void;
}

const open = signal<readonly OpenDialog[]>([]);

/**
 * Asks before something that others will see, or for what is needed to do it. What it does is done while the question is
 * open, and where it fails the question says why.
 * @returns whether it was done
 */
export function ask({ title, body, ...buttons }: Question, act: () => Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    open.value = [...open.value, { title, body, question: { ...buttons, act }, resolve }];
  });
}

/** Shows something that has to be noticed before anything else is done. Resolves when it has been closed. */
export function tell(title: string, body: ComponentChildren, close: string): Promise<void> {
  return new Promise((resolve) => {
    open.value = [...open.value, { title, body, close, resolve: () => resolve() }];
  });
}

/** Closes what is open, as if it had been cancelled. */
export function closeDialogs(): void {
  for (const dialog of open.value) dialog.resolve(false);
  open.value = [];
}

/** Where dialogs are shown: once a page. */
export function Dialogs() {
  return open.value.map((dialog) => <Dialog key={dialog.resolve} {...dialog} />);
}

function Dialog({ title, body, question, close, resolve }: OpenDialog) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const problem = useSignal<CovermapApiError | undefined>(undefined);
  const done = useRef(false);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const first = dialog.current?.querySelector<HTMLElement>('.dialog-content :is(input, select, textarea)');
    (first ?? dialog.current?.querySelector<HTMLElement>('.actions.end > :last-child'))?.focus();
  }, []);
  const end = () => dialog.current?.close();
  const closed = () => {
    open.value = open.value.filter((one) => one.resolve !== resolve);
    resolve(done.current);
  };
  const confirm = async () => {
    if (!question || !dialog.current?.querySelector('form')?.reportValidity()) return;
    problem.value = undefined;
    try {
      await question.act();
      done.current = true;
      end();
    } catch (error) {
      problem.value = asApiError(error);
    }
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
      onCancel={(event) => !question && event.preventDefault()}
    >
      <h2 id={id}>{title}</h2>
      <form class="dialog-body" noValidate onSubmit={(event) => event.preventDefault()}>
        <div class="dialog-content">{content}</div>
        <ErrorNotice error={problem.value} />
        <div class="actions end">
          {question && <Button onClick={end}>{question.cancel ?? 'Cancel'}</Button>}
          {question ? (
            <Button type="submit" kind={question.danger ? 'danger' : 'primary'} onClick={confirm}>
              {question.confirm}
            </Button>
          ) : (
            <Button kind="primary" onClick={end}>
              {close}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  );
}
