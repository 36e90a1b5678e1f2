import { announce } from '../shared/announce.ts';
import { ApiError, asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { field, textInput } from '../shared/fields.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { progressBar } from '../shared/progress.ts';
import { go, type View } from '../shared/router.ts';
import type { Accepted, Manifest, WaitingFile } from '../shared/types.ts';
import { bytes, count } from '../shared/words.ts';
import { describeForm } from './describe-form.ts';
import { dropZone } from './drop-zone.ts';
import type { Context } from './main.ts';
import { withAddressOfNewProvider } from './new-provider.ts';
import { maxNoteLength } from './note.ts';
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
  /** What was asked to be handed in while the file was still on its way. */
  let waitingManifest: Manifest | undefined;

  const form = describeForm(context);
  const note = textInput('note', '', () => {}, { maxlength: maxNoteLength, autocomplete: 'off' });
  const heading = h('h1', { class: 'break' }, file?.name ?? 'Your file');
  const arrival = h('div', { class: 'card stack' });
  const found = h('div', { class: 'stack' });
  const outcome = h('div', {});
  const submit = button('Hand in', handIn, { kind: 'primary' });
  const card = h(
    'form',
    {
      class: 'card stack large',
      novalidate: true,
      // Enter in a field hands in, as in any form.
      onsubmit: (event) => {
        event.preventDefault();
        submit.click();
      },
    },
    h('h2', {}, 'What is it?'),
    form.element,
    field('Note (optional)', note, {
      hint: 'Your own words, to tell versions apart. You can change it later.',
    }),
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
          announce('The file has arrived.');
          void look();
        },
        failed(error) {
          fill(
            trouble,
            errorNotice(
              error,
              button('Go on with the upload', () => {
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
      fill(arrival, notice('warning', error.message, 'It is tried again in a moment.'));
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
      h('p', { class: 'row done' }, icon(icons.check), `Arrived whole: ${bytes(waiting.file.size_bytes)}`),
    );
    if (waiting.state === 'inspecting') {
      fill(arrival, h('p', { class: 'row' }, icon(icons.file), 'Arrived. Looking into it …'));
      timer = setTimeout(look, inspectionPollMs);
      return;
    }
    showFound(waiting);
    form.inspected(waiting.inspection ?? null);
    announce('The file has been looked into. What it says is filled in.');
    if (waitingManifest) {
      fill(outcome);
      waitingManifest = undefined;
      void handIn();
    }
  }

  function showFound({ inspection, error }: WaitingFile): void {
    if (error) {
      fill(found, notice('warning', error.message, error.hint));
      return;
    }
    if (!inspection) return;
    const notices = inspection.warnings.map(({ message }) => notice('warning', message));
    fill(found, ...notices);
    if (inspection.kind === 'towers') return;
    fill(
      arrival,
      h('p', { class: 'row done' }, icon(icons.check), 'Arrived, and this is what it holds:'),
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
              `: ${layer.format}${layer.reference_system ? `, positions in ${layer.reference_system.replaceAll('_', ' ')}` : ''}`,
            ),
          ),
        inspection.layers.length > 8 &&
          h('li', {}, `and ${count(inspection.layers.length - 8, 'more layer')}`),
      ),
    );
  }

  function askForTheRest(waiting: WaitingFile): void {
    fill(
      arrival,
      notice(
        'info',
        `${bytes(waiting.received_bytes)} of ${bytes(waiting.file.size_bytes)} have arrived.`,
        `The upload was interrupted. Choose the same file, ${waiting.file.name}, again: it goes on where it was.`,
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
        'This file is not there any more.',
        'Files that are not handed in are removed after a day. Choose it again on the first page.',
      ),
    );
    card.hidden = true;
  }

  async function handIn(): Promise<void> {
    fill(outcome);
    const manifest = form.manifest();
    if (!manifest) return;
    if (!isArrived) {
      waitingManifest = manifest;
      fill(
        outcome,
        notice('info', 'It is handed in as soon as it has arrived.', 'Please keep this page open.'),
      );
      return;
    }
    await post(manifest, false);
  }

  async function post(manifest: Manifest, again: boolean): Promise<void> {
    try {
      const accepted = await request<Accepted>('POST', '/api/operator/submissions', {
        file_id: fileId,
        manifest,
        ...(again ? { again } : {}),
        ...(note.value.trim() ? { note: note.value.trim() } : {}),
      });
      if (!accepted.duplicate) return go(`/submission/${encodeURIComponent(accepted.id)}`);
      fill(
        outcome,
        notice(
          'info',
          'This file was handed in before, with the same description.',
          'So it was not processed a second time.',
          h(
            'a',
            { class: 'button primary', href: `#/submission/${encodeURIComponent(accepted.id)}` },
            'Show that one',
          ),
          button('Process it again', () => post(manifest, true)),
        ),
      );
    } catch (caught) {
      const error = asApiError(caught);
      const named = error.code === 'provider_url_missing' && (await withAddressOfNewProvider(manifest));
      if (named) return post(named, again);
      fill(outcome, errorNotice(error));
    }
    outcome.scrollIntoView({ block: 'nearest' });
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
    },
  };
}
