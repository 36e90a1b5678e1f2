import { batch, signal } from '@preact/signals';
import type { CovermapApiError } from '../../client/client.ts';
import { go } from '../shared/address.ts';
import { announce } from '../shared/announce.ts';
import { api, asApiError } from '../shared/client.ts';
import type { Manifest, UploadedFile } from '../shared/schemas.ts';
import { catalog } from './context.ts';
import type { Answers } from './description.ts';
import { makeFormState } from './form-state.ts';
import { withAddressOfNewProvider } from './new-provider.tsx';
import { isUnusable } from './unreadable.tsx';
import { type RunningUpload, type Sending, sendFile } from './uploads.ts';

const inspectionPollMs = 700;

/**
 * The progress of a file:
 *
 *     sending -> inspecting -> inspected        any -> unreachable (asked again), expired
 *        ^            |
 *        |            +-> unusable -> sending (another file in its place)
 *        +-- interrupted (the same file, chosen again)
 */
export type Stage =
  | { at: 'unknown' | 'expired' }
  | { at: 'sending'; sending: Sending }
  | { at: 'interrupted' | 'inspecting' | 'inspected' | 'unusable'; file: UploadedFile }
  | { at: 'unreachable'; error: CovermapApiError };

/**
 * The progress of its description. `promised`: it is locked, and submitted once the file has been inspected, by the server if that
 * knows the description, even after the page is closed.
 *
 *     open <-> promised        open -> duplicate
 */
export type Submitting =
  | { at: 'open' | 'promised'; error?: CovermapApiError }
  | { at: 'duplicate'; of: string; manifest: Manifest };

/**
 * Answers of forms that were left, by operator and file: for the browser's Back, and for a session that has ended meanwhile.
 * A reload loses them.
 */
const entered = new Map<string, { answers: Answers; note: string }>();

/** A file on its way to a submission: it is uploaded and inspected while it is described. */
export type Draft = ReturnType<typeof makeDraft>;

/** @param chosen to be uploaded @param knownId of a file that the server has, or has a part of */
export function makeDraft(chosen: File | undefined, knownId: string | undefined) {
  const keyOf = (id: string) => `${catalog().provider?.id ?? 'staff'} ${id}`;
  const left = knownId === undefined ? undefined : entered.get(keyOf(knownId));
  const form = makeFormState(left?.answers);
  const note = signal(left?.note ?? '');
  const name = signal(chosen?.name ?? 'Your file');
  const stage = signal<Stage>({ at: 'unknown' });
  const submitting = signal<Submitting>({ at: 'open' });
  let id = knownId;
  let upload: RunningUpload | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasLeft = false;
  let hasArrived = false;
  let hasAnswers = false;
  /** True once a promise was taken back: earlier answers of the server about it no longer count. */
  let isTakenBack = false;
  const withNote = () => (note.value.trim() ? { note: note.value.trim() } : {});

  /** @returns a function that stops all work here; the server keeps the file for a day */
  function begin(): () => void {
    if (chosen) send(chosen);
    else void refresh();
    return () => {
      hasLeft = true;
      if (id) entered.set(keyOf(id), { answers: form.answers.value, note: note.value });
      clearTimeout(timer);
      if (!hasArrived) upload?.pause();
    };
  }

  function send(file: File): void {
    name.value = file.name;
    upload = sendFile(file, id, {
      located(located) {
        id = located;
        // The description was promised before the server had an id.
        if (submitting.value.at === 'promised') void submit();
        else void recall(located);
        // From now on a reload finds it again.
        if (!hasLeft) history.replaceState(null, '', `#/file/${encodeURIComponent(located)}`);
      },
      changed(sending) {
        stage.value = { at: 'sending', sending };
      },
      complete() {
        announce('Upload complete.');
        void refresh();
      },
    });
  }

  /** Resumes an interrupted upload, or replaces it by another file. @returns false for another file */
  function goOn(file: File): boolean {
    const now = stage.value;
    const isTheSame =
      now.at === 'interrupted' && file.name === now.file.file.name && file.size === now.file.file.size_bytes;
    if (isTheSame) send(file);
    return isTheSame;
  }

  /** Replaces an unusable file by another one; the answers stay. */
  async function replace(file: File): Promise<void> {
    await forget();
    id = undefined;
    hasArrived = false;
    submitting.value = { at: 'open' };
    send(file);
  }

  /** The server deletes the rest of a file after a day in any case. */
  async function forget(): Promise<void> {
    if (id) await api.delete('/api/operator/files/{id}', { path: { id } }).catch(() => undefined);
  }

  async function refresh(): Promise<void> {
    if (hasLeft || !id) return;
    try {
      const file = await api.get('/api/operator/files/{id}', { path: { id } });
      if (!hasLeft) show(file);
    } catch (caught) {
      const error = asApiError(caught);
      if (hasLeft || error.code === 'not_signed_in') return;
      stage.value = error.status === 404 ? { at: 'expired' } : { at: 'unreachable', error };
      if (error.status !== 404) timer = setTimeout(refresh, 3 * inspectionPollMs);
    }
  }

  function show(file: UploadedFile): void {
    const at = stageOf(file);
    hasArrived = file.state !== 'receiving';
    batch(() => {
      name.value = file.file.name;
      stage.value = { at, file };
    });
    if (file.state === 'submitted' && file.submission_id) {
      location.replace(`#/submission/${encodeURIComponent(file.submission_id)}`);
      return;
    }
    takeAnswers(file);
    if (at === 'inspecting') timer = setTimeout(refresh, inspectionPollMs);
    if (at === 'inspected' || at === 'unusable') inspected(file);
  }

  function inspected(file: UploadedFile): void {
    const isPromised = submitting.value.at === 'promised';
    if (isPromised) submitting.value = { at: 'open' };
    // An unusable file fills in nothing: its description is written by hand.
    if (file.error) return;
    form.inspected(file.inspection ?? null, file.earlier_classes);
    announce('File inspected. The form is filled in from it.');
    if (isPromised && !isUnusable(file)) void submit();
  }

  /** Restores earlier answers, also after a reload. */
  function takeAnswers({ answers, submits, note: givenNote }: UploadedFile): void {
    if (submits && !isTakenBack && submitting.value.at === 'open') submitting.value = { at: 'promised' };
    if (!answers || hasAnswers) return;
    hasAnswers = true;
    form.before.value = answers;
    note.value ||= givenNote;
  }

  /** A file that was chosen again goes on with an earlier upload, which the server may submit with the answers given then. */
  async function recall(known: string): Promise<void> {
    const file = await api.get('/api/operator/files/{id}', { path: { id: known } }).catch(() => undefined);
    if (file && !hasLeft) takeAnswers(file);
  }

  /** Makes a promised description editable again; the server is told not to submit it. */
  async function takeBack(): Promise<void> {
    try {
      if (id) await api.put('/api/operator/files/{id}/answers', { path: { id }, body: { submit: false } });
    } catch (caught) {
      const error = asApiError(caught);
      // The server submitted it in that moment: the submission can be withdrawn.
      if (error.code === 'file_already_submitted') return refresh();
      submitting.value = { at: 'promised', error };
      return;
    }
    submitting.value = { at: 'open' };
    isTakenBack = true;
    announce('You can change the description now. The file is not submitted automatically any more.');
  }

  /** Submits it now, or once it has been inspected. An incomplete form shows its problems instead. */
  async function submit(): Promise<void> {
    submitting.value = { at: 'open' };
    const manifest = form.manifest();
    if (!manifest) return;
    if (stage.value.at === 'inspected') return post(manifest);
    try {
      // This page submits a file without an id, or one that has arrived, once it can be.
      if (id && !hasArrived) {
        const body = { manifest, ...withNote() };
        await api.put('/api/operator/files/{id}/answers', { path: { id }, body });
        isTakenBack = false;
      }
      submitting.value = { at: 'promised' };
    } catch (caught) {
      const error = asApiError(caught);
      // Its last byte has arrived, perhaps from another tab: it is submitted once it has been inspected.
      const isComplete = error.code === 'file_complete';
      submitting.value = isComplete ? { at: 'promised' } : { at: 'open', error };
      if (isComplete && !upload) void refresh();
    }
  }

  /** @param again submits the same file and description a second time */
  async function post(manifest: Manifest, again = false): Promise<void> {
    if (!id) return;
    try {
      const accepted = await api.post('/api/operator/submissions', {
        body: { file_id: id, manifest, ...(again ? { again } : {}), ...withNote() },
      });
      if (accepted.duplicate) submitting.value = { at: 'duplicate', of: accepted.id, manifest };
      else go(`/submission/${encodeURIComponent(accepted.id)}`);
    } catch (caught) {
      const error = asApiError(caught);
      const named = error.code === 'provider_url_missing' && (await withAddressOfNewProvider(manifest));
      if (named) return post(named, again);
      submitting.value = { at: 'open', error };
    }
  }

  /** Opens the submission that has this file already, and drops the copy. */
  async function viewExisting(submission: string): Promise<void> {
    await forget();
    go(`/submission/${encodeURIComponent(submission)}`);
  }

  async function discard(): Promise<void> {
    if (upload && !hasArrived) await upload.discard();
    else await forget();
  }

  return {
    ...{ form, note, name, stage, submitting },
    ...{ begin, goOn, resume: () => upload?.retry(), replace, submit, takeBack, viewExisting, discard },
    reprocess: (manifest: Manifest) => post(manifest, true),
  };
}

function stageOf(file: UploadedFile): 'interrupted' | 'inspecting' | 'inspected' | 'unusable' {
  if (file.state === 'receiving' && file.received_bytes !== file.file.size_bytes) return 'interrupted';
  // Also while the service stores or submits it, or looks for open questions.
  if (file.state === 'receiving' || file.state === 'inspecting' || file.submits) return 'inspecting';
  // A file that is known to fail is not submitted; it can be corrected or discarded.
  return isUnusable(file) ? 'unusable' : 'inspected';
}
