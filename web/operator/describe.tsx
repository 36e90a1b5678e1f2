import { batch, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CovermapApiError } from '../../client/client.ts';
import { go } from '../shared/address.ts';
import { announce } from '../shared/announce.ts';
import { api, asApiError } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { icons } from '../shared/icons.ts';
import type { Manifest, UploadedFile } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { ErrorNotice, Notice } from '../shared/ui/notice.tsx';
import { Progress } from '../shared/ui/progress.tsx';
import { View } from '../shared/ui/view.tsx';
import { bytes, count } from '../shared/words.ts';
import { backHome } from './context.ts';
import { DescribeForm } from './describe-form.tsx';
import { DropZone } from './drop-zone.tsx';
import { makeFormState } from './form-state.ts';
import { withAddressOfNewProvider } from './new-provider.tsx';
import { maxNoteLength } from './note.tsx';
import { setPendingFile, takePendingFile } from './pending.ts';
import { isUnusable, Unreadable } from './unreadable.tsx';
import { type RunningUpload, startUpload } from './uploads.ts';

/** How often it is asked whether a file has been inspected. */
const inspectionPollMs = 700;
/** More layers than these are not listed. */
const mostLayers = 8;

/** A file that was chosen just now: it is uploaded while it is described. */
export function DescribeNewView() {
  const [file] = useState(takePendingFile);
  useEffect(() => {
    // Reloaded before the first answer: there is nothing that could be resumed.
    if (!file) location.replace('#/');
  }, [file]);
  return file ? <DescribeView file={file} /> : null;
}

/** A file to be uploaded, or the id of one that the server has, or a part of it. */
type DescribeViewProps = { file?: File; id?: string | undefined };

/** How an upload stands. */
interface Sending {
  percent: number | null;
  detail?: string;
  isConnected: boolean;
  /** It goes on only when it is told to. */
  error?: CovermapApiError;
}

/** What became of submitting. */
type Outcome = { error: CovermapApiError } | { duplicateOf: string; manifest: Manifest } | undefined;

export function DescribeView({ file: first, id: knownId }: DescribeViewProps) {
  const [chosen, setChosen] = useState(first);
  const [form] = useState(makeFormState);
  const note = useSignal('');
  const fileId = useRef(knownId);
  const upload = useRef<RunningUpload | undefined>(undefined);
  const sending = useSignal<Sending | undefined>(undefined);
  const waiting = useSignal<UploadedFile | undefined>(undefined);
  const problem = useSignal<CovermapApiError | undefined>(undefined);
  const isInspected = useSignal(false);
  /** Whether it is to be submitted as soon as it has been inspected: the description is locked meanwhile. */
  const isWaiting = useSignal(false);
  const outcome = useSignal<Outcome>(undefined);
  const hasAnswers = useRef(false);
  /** Whether what the server had been told to submit was taken back: what it said before counts no more. */
  const isTakenBack = useRef(false);
  const left = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const withNote = () => (note.value.trim() ? { note: note.value.trim() } : {});
  const isArrived = () => waiting.value !== undefined && waiting.value.state !== 'receiving';

  useEffect(() => {
    if (chosen) send(chosen);
    else void look();
    return () => {
      left.current = true;
      clearTimeout(timer.current);
      if (!isArrived()) upload.current?.pause();
    };
  }, []);

  function send(file: File): void {
    let started = performance.now();
    let startedAt: number | undefined;
    sending.value = { percent: null, isConnected: true };
    const change = (changes: Partial<Sending>) =>
      set(sending, { percent: null, isConnected: true, ...sending.value, ...changes });
    upload.current = startUpload(
      file,
      {
        located(id) {
          fileId.current = id;
          // Submitted before the first answer of the server: kept there from now on.
          if (isWaiting.value) {
            isWaiting.value = false;
            void submit();
          }
          // From now on a reload finds it again.
          if (!left.current) history.replaceState(null, '', `#/file/${encodeURIComponent(id)}`);
        },
        progress(sent, total) {
          startedAt ??= sent;
          const perMs = (sent - startedAt) / (performance.now() - started);
          const seconds = perMs > 0 ? (total - sent) / perMs / 1000 : 0;
          const rest = sent < total && seconds > 5 ? `, about ${durationWords(seconds)} left` : '';
          change({ percent: (100 * sent) / total, detail: `${bytes(sent)} of ${bytes(total)}${rest}` });
        },
        connected(isConnected) {
          if (sending.value?.isConnected === isConnected) return;
          change({ isConnected });
          if (isConnected) return;
          started = performance.now();
          startedAt = undefined;
          announce('Connection lost. The upload resumes automatically.');
        },
        complete(id) {
          fileId.current = id;
          announce('Upload complete.');
          void look();
        },
        failed: (error) => change({ error }),
      },
      fileId.current,
    );
  }

  /** Uploads another file in place of one that cannot be used; what has been entered stays. */
  async function replace(file: File): Promise<void> {
    const id = fileId.current;
    // What stays of it goes by itself after a day.
    if (id) await api.delete('/api/operator/files/{id}', { path: { id } }).catch(() => undefined);
    fileId.current = undefined;
    batch(() => {
      waiting.value = undefined;
      outcome.value = undefined;
      isInspected.value = false;
    });
    setChosen(file);
    send(file);
  }

  function resume(): void {
    const { error: _, ...rest } = sending.value ?? { percent: null, isConnected: true };
    sending.value = rest;
    upload.current?.retry();
  }

  async function look(): Promise<void> {
    const id = fileId.current;
    if (left.current || !id) return;
    try {
      const answer = await api.get('/api/operator/files/{id}', { path: { id } });
      if (!left.current) show(answer);
    } catch (caught) {
      const error = asApiError(caught);
      if (left.current || error.code === 'not_signed_in') return;
      problem.value = error;
      if (error.status !== 404) timer.current = setTimeout(look, 3 * inspectionPollMs);
    }
  }

  function show(answer: UploadedFile): void {
    batch(() => {
      problem.value = undefined;
      sending.value = undefined;
      waiting.value = answer;
    });
    if (answer.state === 'submitted' && answer.submission_id) {
      location.replace(`#/submission/${encodeURIComponent(answer.submission_id)}`);
      return;
    }
    takeAnswers(answer);
    if (answer.state === 'receiving') return;
    // Or the service is about to submit it, or to find that something is to be asked.
    if (answer.state === 'inspecting' || answer.submits) {
      timer.current = setTimeout(look, inspectionPollMs);
      return;
    }
    isInspected.value = true;
    const isToBeSubmitted = isWaiting.value;
    isWaiting.value = false;
    // Nothing was found that could fill in the form; whoever submits it all the same does so by hand.
    if (answer.error) return;
    form.inspected(answer.inspection ?? null, answer.earlier_classes);
    announce('File inspected. The form is filled in from it.');
    if (isToBeSubmitted) void submit();
  }

  /** Goes on with what was said before, also before a reload. */
  function takeAnswers({ answers, submits, note: said }: UploadedFile): void {
    if (submits && !isTakenBack.current) isWaiting.value = true;
    if (!answers || hasAnswers.current) return;
    hasAnswers.current = true;
    form.answered(answers);
    note.value ||= said;
  }

  /** The file waits to be described again; where the server was told to submit it, it is told not to. */
  async function takeBack(): Promise<void> {
    try {
      const id = fileId.current;
      if (id) await api.put('/api/operator/files/{id}/answers', { path: { id }, body: { submit: false } });
    } catch (caught) {
      const error = asApiError(caught);
      // It was submitted in that moment: from there on it is withdrawn as a submission.
      if (error.code === 'file_already_submitted') return look();
      outcome.value = { error };
      return;
    }
    isWaiting.value = false;
    outcome.value = undefined;
    isTakenBack.current = true;
    announce('You can change the description now. The file is not submitted automatically any more.');
  }

  async function submit(): Promise<void> {
    outcome.value = undefined;
    const manifest = form.manifest();
    if (!manifest) return;
    const id = fileId.current;
    if (isArrived() && isInspected.value) return post(manifest, false);
    try {
      // Without an id, or complete already, it is submitted by this page once it can be.
      if (id && !isArrived()) {
        const body = { manifest, ...withNote() };
        await api.put('/api/operator/files/{id}/answers', { path: { id }, body });
        isTakenBack.current = false;
      }
      isWaiting.value = true;
    } catch (caught) {
      const error = asApiError(caught);
      // Its last byte came in that moment: it is submitted once it has been inspected.
      if (error.code === 'file_complete') isWaiting.value = true;
      else outcome.value = { error };
    }
  }

  async function post(manifest: Manifest, again: boolean): Promise<void> {
    const id = fileId.current;
    if (!id) return;
    try {
      const accepted = await api.post('/api/operator/submissions', {
        body: { file_id: id, manifest, ...(again ? { again } : {}), ...withNote() },
      });
      if (accepted.duplicate) outcome.value = { duplicateOf: accepted.id, manifest };
      else go(`/submission/${encodeURIComponent(accepted.id)}`);
    } catch (caught) {
      const error = asApiError(caught);
      const named = error.code === 'provider_url_missing' && (await withAddressOfNewProvider(manifest));
      if (named) return post(named, again);
      outcome.value = { error };
    }
  }

  /** Goes to the submission that has this file already; the second copy is not needed. */
  async function viewExisting(submission: string): Promise<void> {
    const id = fileId.current;
    if (id) await api.delete('/api/operator/files/{id}', { path: { id } }).catch(() => undefined);
    go(`/submission/${encodeURIComponent(submission)}`);
  }

  async function discard(): Promise<void> {
    const done = await ask(
      {
        title: `Discard ${name}?`,
        body: 'What has been uploaded and what you have entered here are deleted. You would have to upload the file again. Live coverage is unchanged.',
        confirm: 'Discard draft',
        danger: true,
      },
      async () => {
        try {
          const id = fileId.current;
          if (upload.current && !isArrived()) await upload.current.discard();
          else if (id) await api.delete('/api/operator/files/{id}', { path: { id } });
        } catch (error) {
          // What is gone already, or goes by itself after a day, is no reason to stay.
          if (!(error instanceof CovermapApiError)) throw error;
        }
      },
    );
    if (done) go('/');
  }

  const answer = waiting.value;
  const name = answer?.file.name ?? chosen?.name ?? 'Your file';
  const isGone = problem.value?.status === 404;
  // What is known to fail is not submitted; the file can be corrected, or discarded.
  const isRefused = isInspected.value && answer !== undefined && isUnusable(answer);
  const result = outcome.value;
  return (
    <div class="narrow">
      <View title={name} heading={<span class="break">{name}</span>} back={backHome()}>
        <div class="card stack">
          {isGone ? (
            <Notice
              tone="warning"
              title="This file has expired."
              text="Files that are not submitted are removed after a day. Upload it again."
            />
          ) : problem.value ? (
            <Notice tone="warning" title={problem.value.message} text="Retrying." />
          ) : sending.value ? (
            <Upload {...sending.value} onResume={resume} />
          ) : answer?.state === 'receiving' ? (
            <Interrupted
              of={answer}
              onChoose={(again) => {
                if (again.name === answer.file.name && again.size === answer.file.size_bytes)
                  return send(again);
                setPendingFile(again);
                go('/new');
              }}
            />
          ) : (
            answer && <Arrived file={answer} />
          )}
        </div>
        {isInspected.value && answer && !isRefused && <Found file={answer} />}
        {isRefused && (
          <Unreadable file={answer} onReplace={replace}>
            <Button kind="quiet" onClick={discard}>
              Discard
            </Button>
          </Unreadable>
        )}
        {!isGone && !isRefused && (
          <form class="card stack large" noValidate onSubmit={(event) => event.preventDefault()}>
            <h2>Describe your coverage</h2>
            <fieldset class="stack large" disabled={isWaiting.value}>
              <DescribeForm form={form} />
              <TextField
                label="Note (optional)"
                name="note"
                hint="Your own words, to tell versions apart. You can change it later."
                maxLength={maxNoteLength}
                value={note}
              />
            </fieldset>
            <InSight of={isWaiting.value || result}>
              {isWaiting.value && (
                <Notice
                  tone="info"
                  title="It will be submitted when the upload finishes."
                  text="If the file raises a question that is not answered yet, it is asked here first."
                >
                  <Button onClick={takeBack}>Change description</Button>
                </Notice>
              )}
              {result && 'error' in result && <ErrorNotice error={result.error} />}
              {result && 'duplicateOf' in result && (
                <Notice
                  tone="info"
                  title="This file was submitted before, with the same description."
                  text="It was not reprocessed."
                >
                  <Button kind="primary" onClick={() => viewExisting(result.duplicateOf)}>
                    View existing
                  </Button>
                  <Button onClick={() => post(result.manifest, true)}>Reprocess</Button>
                </Notice>
              )}
            </InSight>
            <div class="actions">
              {!isWaiting.value && (
                <Button type="submit" kind="primary" onClick={submit}>
                  Submit
                </Button>
              )}
              <Button kind="quiet" onClick={discard}>
                Discard
              </Button>
            </div>
          </form>
        )}
      </View>
    </div>
  );
}

/** How long it takes, roughly. */
function durationWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 5) * 5} seconds` : count(Math.round(seconds / 60), 'minute');
}

/** Whatever comes into it is scrolled into sight. */
function InSight({ of, children }: { of: unknown; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (of) element.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return <div ref={element}>{children}</div>;
}

function Upload({ percent, detail, isConnected, error, onResume }: Sending & { onResume(): void }) {
  return (
    <>
      <Progress label={percent === null ? 'Starting' : 'Uploading'} percent={percent} detail={detail} />
      {error ? (
        <ErrorNotice error={error}>
          <Button onClick={onResume}>Resume upload</Button>
        </ErrorNotice>
      ) : (
        !isConnected && (
          <Notice
            tone="warning"
            title="Connection lost."
            text="What has been uploaded is kept. The upload resumes automatically once the server can be reached."
          />
        )
      )}
    </>
  );
}

function Interrupted({ of, onChoose }: { of: UploadedFile; onChoose(file: File): void }) {
  const { file, received_bytes: received } = of;
  return (
    <>
      <Notice
        tone="info"
        title={`${bytes(received)} of ${bytes(file.size_bytes ?? 0)} uploaded.`}
        text={`The upload was interrupted. Choose the same file, ${file.name}, again: it resumes where it stopped.`}
      />
      <DropZone onChoose={onChoose} />
    </>
  );
}

function Arrived({ file: { state, file, inspection, error } }: { file: UploadedFile }) {
  if (state === 'inspecting') {
    return (
      <p class="row">
        <Icon path={icons.file} />
        Upload complete. Inspecting …
      </p>
    );
  }
  const layers = error || inspection?.kind !== 'coverage' ? [] : inspection.layers;
  return (
    <>
      <p class="row done">
        <Icon path={icons.check} />
        {layers.length > 0
          ? 'Upload complete. File contents:'
          : `Upload complete: ${bytes(file.size_bytes ?? 0)}`}
      </p>
      {layers.length > 0 && (
        <ul class="plain-list small">
          {layers.slice(0, mostLayers).map(({ name, format, reference_system: system }) => (
            <li class="break" key={name}>
              <strong>{name}</strong>: {format}
              {system && `, CRS: ${system.replaceAll('_', ' ')}`}
            </li>
          ))}
          {layers.length > mostLayers && <li>and {count(layers.length - mostLayers, 'more layer')}</li>}
        </ul>
      )}
    </>
  );
}

/** What was found in a file that needs a word. */
function Found({ file: { inspection, error } }: { file: UploadedFile }) {
  if (error) {
    return (
      <div class="stack">
        <ErrorNotice error={error} />
        <Notice
          tone="info"
          title="You can submit it all the same."
          text="Describe it below. It is then read without a time limit for the inspection."
        />
      </div>
    );
  }
  // What the form asks needs no warning.
  const warnings = inspection?.warnings.filter(({ code }) => code !== 'classes_needed') ?? [];
  return (
    <div class="stack">
      {warnings.map(({ message }) => (
        <Notice key={message} tone="warning" title={message} />
      ))}
    </div>
  );
}
