import { announce } from '../shared/announce.ts';
import { ApiError, asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { field, textInput } from '../shared/fields.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { progressBar } from '../shared/progress.ts';
import { go, type View } from '../shared/router.ts';
import type { Accepted, Manifest, WaitingFile } from '../shared/schemas.ts';
import { bytes, count } from '../shared/words.ts';
import type { Context } from './context.ts';
import { describeForm } from './describe-form.ts';
import { dropZone } from './drop-zone.ts';
import { withAddressOfNewProvider } from './new-provider.tsx';
import { maxNoteLength } from './note.tsx';
import { setPendingFile, takePendingFile } from './pending.ts';
import { type RunningUpload, startUpload } from './uploads.ts';

/** How often it is asked whether a file has been looked into. */
const inspectionPollMs = 700;

/** A file that was chosen just now: it is sent while it is described. */
export function describeNew(context: Context): View {
  const file = takePendingFile();
  if (!file) {
    // Reloaded before the first answer: there is nothing that could be gone on with.
    queueMicrotask(() => location.replace('#/'));
    return { title: 'New file', element: h('div') };
  }
  return describeView(context, file);
}

/** A file that the server has, or a part of it. */
export function describeFile(context: Context, id: string): View {
  return describeView(context, undefined, id);
}

function describeView(context: Context, file: File | undefined, knownId?: string): View {
  let fileId = knownId;
  let isArrived = false;
  let left = false;
  let upload: RunningUpload | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether it is to be submitted as soon as it has been inspected. */
  let isWaiting = false;
  let isInspected = false;
  let hasAnswers = false;
  /** Whether what the server had been told to submit was taken back: what it said before counts no more. */
  let isTakenBack = false;

  const form = describeForm(context);
  const note = textInput('note', '', () => {}, { maxlength: maxNoteLength, autocomplete: 'off' });
  const heading = h('h1', { class: 'break' }, file?.name ?? 'Your file');
  const arrival = h('div', { class: 'card stack' });
  const found = h('div', { class: 'stack' });
  const outcome = h('div', {});
  const submit = button('Submit', submitFile, { kind: 'primary' });
  const questions = h(
    'fieldset',
    { class: 'stack large' },
    form.element,
    field('Note (optional)', note, {
      hint: 'Your own words, to tell versions apart. You can change it later.',
    }),
  );
  const card = h(
    'form',
    {
      class: 'card stack large',
      novalidate: true,
      // Enter in a field submits, as in any form.
      onsubmit: (event) => {
        event.preventDefault();
        submit.click();
      },
    },
    h('h2', {}, 'Describe your coverage'),
    questions,
    outcome,
    h('div', { class: 'actions' }, submit, button('Discard', discard, { kind: 'quiet' })),
    h('button', { type: 'submit', hidden: true }),
  );
  const element = h(
    'div',
    { class: 'narrow stack large' },
    h('div', {}, h('a', { class: 'back', href: '#/' }, icon(icons.back, 18), 'Your coverage'), heading),
    arrival,
    found,
    card,
  );

  if (file) send(file);
  else void look();

  function send(chosen: File): void {
    const bar = progressBar();
    const trouble = h('div', {});
    bar.show('Starting', null);
    fill(arrival, bar.element, trouble);
    let started = performance.now();
    let startedAt: number | undefined;
    upload = startUpload(
      chosen,
      {
        located(id) {
          fileId = id;
          // Submitted before the first answer of the server: kept there from now on.
          if (isWaiting) {
            isWaiting = false;
            void submitFile();
          }
          // From now on a reload finds it again.
          if (!left) history.replaceState(null, '', `#/file/${encodeURIComponent(id)}`);
        },
        progress(sent, total) {
          startedAt ??= sent;
          const perMs = (sent - startedAt) / (performance.now() - started);
          const left = perMs > 0 ? (total - sent) / perMs / 1000 : 0;
          const rest =
            sent < total && left > 5
              ? `, about ${left < 90 ? `${Math.ceil(left / 5) * 5} seconds` : count(Math.round(left / 60), 'minute')} left`
              : '';
          bar.show('Uploading', (100 * sent) / total, `${bytes(sent)} of ${bytes(total)}${rest}`);
        },
        connected(isConnected) {
          if (isConnected) return fill(trouble);
          started = performance.now();
          startedAt = undefined;
          announce('The connection was lost. The upload goes on by itself.');
          fill(
            trouble,
            notice(
              'warning',
              'The connection was lost.',
              'What has arrived is kept. The upload goes on by itself as soon as the server can be reached.',
            ),
          );
        },
        complete(id) {
          fileId = id;
          announce('Upload complete.');
          void look();
        },
        failed(error) {
          fill(
            trouble,
            errorNotice(
              error,
              button('Resume upload', () => {
                fill(trouble);
                upload?.retry();
              }),
            ),
          );
        },
      },
      fileId,
    );
  }

  /** Asks what became of the file, until it has been looked into. */
  async function look(): Promise<void> {
    if (left || !fileId) return;
    try {
      const waiting = await request<WaitingFile>('GET', `/api/operator/files/${encodeURIComponent(fileId)}`);
      if (!left) show(waiting);
    } catch (caught) {
      const error = asApiError(caught);
      if (left || error.code === 'not_signed_in') return;
      if (error.status === 404) return showGone();
      fill(arrival, notice('warning', error.message, 'Retrying.'));
      timer = setTimeout(look, 3 * inspectionPollMs);
    }
  }

  function show(waiting: WaitingFile): void {
    fill(heading, waiting.file.name);
    if (waiting.state === 'submitted' && waiting.submission_id) {
      location.replace(`#/submission/${encodeURIComponent(waiting.submission_id)}`);
      return;
    }
    if (waiting.state === 'receiving') {
      askForTheRest(waiting);
      return;
    }
    isArrived = true;
    fill(
      arrival,
      h('p', { class: 'row done' }, icon(icons.check), `Upload complete: ${bytes(waiting.file.size_bytes)}`),
    );
    takeAnswers(waiting);
    if (waiting.state === 'inspecting') {
      fill(arrival, h('p', { class: 'row' }, icon(icons.file), 'Upload complete. Inspecting …'));
      if (isWaiting) lock();
      timer = setTimeout(look, inspectionPollMs);
      return;
    }
    // The service is about to submit it, or to find that something is to be asked.
    if (waiting.submits) {
      timer = setTimeout(look, inspectionPollMs);
      return;
    }
    isInspected = true;
    unlock();
    showFound(waiting);
    // Nothing was found that could fill in the form; whoever submits it all the same does so by hand.
    if (waiting.error) {
      isWaiting = false;
      return;
    }
    form.inspected(waiting.inspection ?? null, waiting.earlier_classes);
    announce('The file was inspected. The form is filled in from it.');
    if (isWaiting) {
      isWaiting = false;
      void submitFile();
    }
  }

  /** Goes on with what was said before, also before a reload. */
  function takeAnswers({ answers, submits, note: said }: WaitingFile): void {
    if (submits && !isTakenBack) isWaiting = true;
    if (!answers || hasAnswers) return;
    hasAnswers = true;
    form.answered(answers);
    if (note.value === '') note.value = said;
  }

  function showFound({ inspection, error, can_submit = true }: WaitingFile): void {
    // What is known to fail is not submitted; the file can be corrected, or thrown away.
    submit.hidden = !can_submit;
    if (error) {
      fill(
        found,
        errorNotice(error),
        can_submit &&
          notice(
            'info',
            'You can submit it all the same.',
            'Describe it below. It is then read without a time limit for the inspection.',
          ),
      );
      questions.hidden = !can_submit;
      return;
    }
    if (!inspection) return;
    // What the form asks needs no warning.
    const notices = inspection.warnings
      .filter(({ code }) => code !== 'classes_needed')
      .map(({ message }) => notice('warning', message));
    fill(found, ...notices);
    if (inspection.kind === 'towers') return;
    fill(
      arrival,
      h('p', { class: 'row done' }, icon(icons.check), 'Upload complete. File contents:'),
      h(
        'ul',
        { class: 'plain-list small' },
        ...inspection.layers
          .slice(0, 8)
          .map((layer) =>
            h(
              'li',
              { class: 'break' },
              h('strong', {}, layer.name),
              `: ${layer.format}${layer.reference_system ? `, CRS: ${layer.reference_system.replaceAll('_', ' ')}` : ''}`,
            ),
          ),
        inspection.layers.length > 8 &&
          h('li', {}, `and ${count(inspection.layers.length - 8, 'more layer')}`),
      ),
    );
  }

  function askForTheRest(waiting: WaitingFile): void {
    takeAnswers(waiting);
    if (isWaiting) lock();
    fill(
      arrival,
      notice(
        'info',
        `${bytes(waiting.received_bytes)} of ${bytes(waiting.file.size_bytes)} uploaded.`,
        `The upload was interrupted. Choose the same file, ${waiting.file.name}, again: it resumes where it stopped.`,
      ),
      dropZone(context.catalog.upload_limit_bytes, (again) => {
        if (again.name === waiting.file.name && again.size === waiting.file.size_bytes) return send(again);
        setPendingFile(again);
        go('/new');
      }),
    );
  }

  function showGone(): void {
    fill(
      arrival,
      notice(
        'warning',
        'This file has expired.',
        'Files that are not submitted are removed after a day. Upload it again.',
      ),
    );
    card.hidden = true;
  }

  /** What is said stays as it is until the file is submitted with it, or somebody takes it back. */
  function lock(): void {
    questions.disabled = true;
    submit.hidden = true;
    fill(outcome, submitsNotice());
  }

  function unlock(): void {
    questions.disabled = false;
    submit.hidden = false;
    fill(outcome);
  }

  /** The file waits to be described again; where the server was told to submit it, it is told not to. */
  async function takeBack(): Promise<void> {
    try {
      if (fileId) {
        await request('PUT', `/api/operator/files/${encodeURIComponent(fileId)}/answers`, { submit: false });
      }
    } catch (caught) {
      const error = asApiError(caught);
      // It was submitted in that moment: from there on it is taken back as a submission.
      if (error.code === 'file_already_submitted') return look();
      fill(outcome, submitsNotice(), errorNotice(error));
      return;
    }
    isWaiting = false;
    isTakenBack = true;
    unlock();
    announce('You can change the description now. The file is not submitted by itself any more.');
  }

  async function submitFile(): Promise<void> {
    fill(outcome);
    const manifest = form.manifest();
    if (!manifest) return;
    if (!fileId || (isArrived && !isInspected)) {
      isWaiting = true;
      lock();
      return;
    }
    if (isArrived) return post(manifest, false);
    try {
      await request('PUT', `/api/operator/files/${encodeURIComponent(fileId)}/answers`, {
        manifest,
        ...(note.value.trim() ? { note: note.value.trim() } : {}),
      });
      isWaiting = true;
      isTakenBack = false;
      lock();
      outcome.scrollIntoView({ block: 'nearest' });
    } catch (caught) {
      const error = asApiError(caught);
      // Its last byte came in that moment: it is submitted once it has been inspected.
      if (error.code !== 'file_complete') return fill(outcome, errorNotice(error));
      isWaiting = true;
      lock();
    }
  }

  async function post(manifest: Manifest, again: boolean): Promise<void> {
    try {
      const accepted = await request<Accepted>('POST', '/api/operator/submissions', {
        file_id: fileId,
        manifest,
        ...(again ? { again } : {}),
        ...(note.value.trim() ? { note: note.value.trim() } : {}),
      });
      const { id } = accepted;
      if (accepted.duplicate) {
        fill(
          outcome,
          notice(
            'info',
            'This file was submitted before, with the same description.',
            'It was not reprocessed.',
            button('View existing', () => viewExisting(id), { kind: 'primary' }),
            button('Reprocess', () => post(manifest, true)),
          ),
        );
      } else return go(`/submission/${encodeURIComponent(id)}`);
    } catch (caught) {
      const error = asApiError(caught);
      const named = error.code === 'provider_url_missing' && (await withAddressOfNewProvider(manifest));
      if (named) return post(named, again);
      fill(outcome, errorNotice(error));
    }
    outcome.scrollIntoView({ block: 'nearest' });
  }

  function submitsNotice(): HTMLElement {
    return notice(
      'info',
      'It will be submitted when the upload finishes.',
      'If the file raises a question that is not answered yet, it is asked here first.',
      button('Change description', takeBack),
    );
  }

  /** Goes to the submission that has this file already; the second copy is not needed. */
  async function viewExisting(id: string): Promise<void> {
    await request('DELETE', `/api/operator/files/${encodeURIComponent(fileId ?? '')}`).catch(() => undefined);
    go(`/submission/${encodeURIComponent(id)}`);
  }

  async function discard(): Promise<void> {
    const name = heading.textContent ?? '';
    const done = await ask(
      {
        title: `Discard ${name}?`,
        body: [
          'What has been uploaded and what you have entered here are deleted. You would have to upload the file again. Live coverage is unchanged.',
        ],
        confirm: 'Discard draft',
        danger: true,
      },
      async () => {
        try {
          if (upload && !isArrived) await upload.discard();
          else if (fileId) await request('DELETE', `/api/operator/files/${encodeURIComponent(fileId)}`);
        } catch (error) {
          // What is gone already, or goes by itself after a day, is no reason to stay.
          if (!(error instanceof ApiError)) throw error;
        }
      },
    );
    if (done) go('/');
  }

  return {
    title: file?.name ?? 'Your file',
    element,
    leave() {
      left = true;
      clearTimeout(timer);
      if (!isArrived) upload?.pause();
      form.remove();
    },
  };
}
