import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, Notice } from '../shared/ui/notice.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { bytes } from '../shared/words.ts';
import { PremisesDownload, useChangedPremises } from './changed-premises.tsx';
import { arrivalOf, backHome, isStaff, technologyLabel } from './context.ts';
import type { ShownLoss } from './lost-areas.tsx';
import { NoteButton } from './note.tsx';
import { Outcome } from './outcome.tsx';
import { ProposedExclusions } from './proposed-exclusions.tsx';
import { ReportView, type SelectedPlace } from './report.tsx';
import { isUnderWork, StatusBadge } from './status.tsx';
import { Steps } from './steps.tsx';
import { SubmissionMap, type SubmissionMapProps } from './submission-map.tsx';
import { SubmissionStops } from './submission-stops.tsx';
import { useSubmission } from './use-submission.ts';
import { WithMap } from './with-map.tsx';
import { Working } from './working.tsx';

/** A submission: progress, review, publication, rollback. */
export function SubmissionView({ id }: { id: string }) {
  const { submission, error, isConnected, reload } = useSubmission(id);
  const selected = useSignal<SelectedPlace | undefined>(undefined);
  const lost: ShownLoss = useSignal(undefined);
  const now = submission.value;
  const report = now?.report;
  const changed = useChangedPremises(submission);
  const mapped = useMapped(now);
  const reportCard = now && report && (
    <div class="report">
      <SubmissionStops id={now.id} />
      <Card title="Validation report">
        {now.status === 'published' && <ProposedExclusions submission={now} />}
        <ReportView report={report} selected={selected} />
        <p class="small">
          <a href={`/api/operator/submissions/${now.id}/file`} download={now.file.name}>
            Download original file
          </a>
        </p>
        {now.status !== 'ready' && <PremisesDownload submission={now} />}
      </Card>
    </div>
  );
  return (
    <View
      title={now?.file.name ?? (error.value ? 'This file cannot be shown' : 'Loading …')}
      heading={
        now && (
          <span class="row">
            <span>{now.file.name}</span>
            <StatusBadge submission={now} />
          </span>
        )
      }
      back={backHome()}
      lead={now && <Lead submission={now} />}
    >
      <WithMap
        title="State"
        map={mapped && <SubmissionMap {...mapped} selected={selected} lost={lost} changed={changed} />}
        below={reportCard}
      >
        {now && <Steps submission={now} />}
        {isConnected ? (
          <ErrorNotice error={error.value}>
            {error.value?.status !== 404 && <Button onClick={reload}>Try again</Button>}
          </ErrorNotice>
        ) : (
          <Notice
            tone="warning"
            title="The server cannot be reached at the moment."
            text="The work on your file goes on without this page. Retrying."
          />
        )}
        {now &&
          (isUnderWork(now) ? (
            <Working submission={now} />
          ) : (
            <Outcome submission={now} lost={lost} changed={changed} />
          ))}
      </WithMap>
    </View>
  );
}

type Mapped = Pick<SubmissionMapProps, 'submission' | 'report'>;

/** The submission on the map: while areas are modelled again, the earlier ones stay. */
function useMapped(now: Submission | undefined): Mapped | undefined {
  const last = useRef<Mapped>(undefined);
  if (now?.report) last.current = { submission: now, report: now.report };
  const { current: before } = last;
  if (!now || !before || now.report) return before;
  // Its report arrives after the status `ready`.
  if (!isUnderWork(now) && now.status !== 'ready') return undefined;
  const { status, finished, waiting_for, can } = now;
  return { ...before, submission: { ...before.submission, status, finished, waiting_for, can } };
}

function Lead({ submission }: { submission: Submission }) {
  const { id, file, note, technologies, datasets, provider } = submission;
  const facts = [
    technologies.map(technologyLabel).join(', '),
    datasets[0]?.scope ? `scope ${datasets[0].scope}` : '',
    isStaff() ? provider.name : '',
    bytes(file.size_bytes),
    arrivalOf('uploaded', submission),
  ];
  return (
    <>
      <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      <div class="row">
        {note !== '' && <p>“{note}”</p>}
        <NoteButton id={id} fileName={file.name} note={note} />
      </div>
    </>
  );
}
