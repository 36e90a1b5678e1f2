import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { go } from '../shared/address.ts';
import type { UploadedFile } from '../shared/schemas.ts';
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
import { type Draft, makeDraft } from './draft.ts';
import { CoverageDropZone } from './drop-zone.tsx';
import { maxNoteLength } from './note.tsx';
import { describeNew, takePendingFile } from './pending.ts';
import { Unreadable } from './unreadable.tsx';
import type { Sending } from './uploads.ts';

/** More layers than these are not listed. */
const mostLayers = 8;

/** A new file: it is uploaded while it is described. */
export function DescribeNewView() {
  const [file] = useState(takePendingFile);
  useEffect(() => {
    // After a reload before the first answer, nothing can be resumed.
    if (!file) location.replace('#/');
  }, [file]);
  return file ? <DescribeView file={file} /> : null;
}

/** A new file, or the id of one that the server has at least in part. */
type DescribeViewProps = { file?: File; id?: string | undefined };

export function DescribeView({ file, id }: DescribeViewProps) {
  const [draft] = useState(() => makeDraft(file, id));
  useEffect(draft.begin, [draft]);
  const { value: name } = draft.name;
  const { value: stage } = draft.stage;
  const discard = async () => {
    const question = {
      title: `Discard ${name}?`,
      body: 'What has been uploaded and what you have entered here are deleted. You would have to upload the file again. Live coverage is unchanged.',
      confirm: 'Discard draft',
      danger: true,
    };
    if (await ask(question, draft.discard)) go('/');
  };
  const discardButton = (
    <Button kind="quiet" onClick={discard}>
      Discard
    </Button>
  );
  return (
    <div class="narrow">
      <View title={name} back={backHome()}>
        <div class="card stack">
          <Progressing draft={draft} />
        </div>
        {stage.at === 'inspected' && <Found file={stage.file} />}
        {stage.at === 'unusable' ? (
          <Unreadable file={stage.file} onReplace={draft.replace}>
            {discardButton}
          </Unreadable>
        ) : (
          stage.at !== 'expired' && <Description draft={draft}>{discardButton}</Description>
        )}
      </View>
    </div>
  );
}

function Progressing({ draft }: { draft: Draft }) {
  const { value: stage } = draft.stage;
  switch (stage.at) {
    case 'unknown':
      return null;
    case 'expired':
      return (
        <Notice
          tone="warning"
          title="This file has expired."
          text="Files that are not submitted are removed after a day. Upload it again."
        />
      );
    case 'unreachable':
      return <Notice tone="warning" title={stage.error.message} text="Retrying." />;
    case 'sending':
      return <Upload {...stage.sending} onResume={draft.resume} />;
    case 'interrupted': {
      const { file, received_bytes: received } = stage.file;
      const choose = (file: File) => {
        if (!draft.goOn(file)) describeNew(file);
      };
      return (
        <>
          <Notice
            tone="info"
            title={`${bytes(received)} of ${bytes(file.size_bytes ?? 0)} uploaded.`}
            text={`The upload was interrupted. Choose the same file, ${file.name}, again: it resumes where it stopped.`}
          />
          <CoverageDropZone onChoose={choose} />
        </>
      );
    }
    default:
      return <Arrived file={stage.file} />;
  }
}

/** The form, and the outcome of submitting it. */
function Description({ draft, children }: { draft: Draft; children: ComponentChildren }) {
  const { value: submitting } = draft.submitting;
  const isPromised = submitting.at === 'promised';
  const outcome = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (submitting.at !== 'open' || submitting.error) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [submitting]);
  return (
    <form class="card stack large" noValidate onSubmit={(event) => event.preventDefault()}>
      <h2>Describe your coverage</h2>
      <fieldset class="stack large" disabled={isPromised}>
        <DescribeForm form={draft.form} />
        <TextField
          label="Note (optional)"
          name="note"
          hint="Your own words, to tell versions apart. You can change it later."
          maxLength={maxNoteLength}
          value={draft.note}
        />
      </fieldset>
      <div ref={outcome}>
        {isPromised && (
          <Notice
            tone="info"
            title="It will be submitted when the upload finishes."
            text="If the file raises a question that is not answered yet, it is asked here first."
          >
            <Button onClick={draft.takeBack}>Change description</Button>
          </Notice>
        )}
        {submitting.at === 'duplicate' ? (
          <Notice
            tone="info"
            title="This file was submitted before, with the same description."
            text="It was not reprocessed."
          >
            <Button kind="primary" onClick={() => draft.viewExisting(submitting.of)}>
              View existing
            </Button>
            <Button onClick={() => draft.reprocess(submitting.manifest)}>Reprocess</Button>
          </Notice>
        ) : (
          submitting.error && <ErrorNotice error={submitting.error} />
        )}
      </div>
      <div class="actions">
        {!isPromised && (
          <Button type="submit" kind="primary" onClick={draft.submit}>
            Submit
          </Button>
        )}
        {children}
      </div>
    </form>
  );
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

function Arrived({ file: { file, inspection, error } }: { file: UploadedFile }) {
  if (!inspection && !error) {
    return (
      <p class="row">
        <Icon name="file" />
        Upload complete. Inspecting …
      </p>
    );
  }
  const layers = error || inspection?.kind !== 'coverage' ? [] : inspection.layers;
  return (
    <>
      <p class="row done">
        <Icon name="check" />
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
  // The form asks for classes, which makes the warning superfluous.
  const warnings = inspection?.warnings.filter(({ code }) => code !== 'classes_needed') ?? [];
  return (
    <div class="stack">
      {warnings.map(({ message }) => (
        <Notice key={message} tone="warning" title={message} />
      ))}
    </div>
  );
}
