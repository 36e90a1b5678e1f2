import type { ComponentChildren } from 'preact';
import type { CovermapApiError } from '../../client/client.ts';
import { announce } from '../shared/announce.ts';
import { money } from '../shared/billing/words.ts';
import { api, asApiError } from '../shared/client.ts';
import type { Dataset, Submission, SubmissionDataset } from '../shared/schemas.ts';
import { ask, type Question } from '../shared/ui/dialog.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { area, percent, when } from '../shared/words.ts';
import { PremisesFigures } from './changed-premises.tsx';
import { labelOf } from './context.ts';
import { isLoss } from './held-back.ts';
import { lookupChange, minLossKm2 } from './lookup-change.ts';
import { lossWords, othersWords } from './premises-words.ts';

/* The actions on validated coverage. Each asks for confirmation, and returns true if it was done. */

const lookAgainMs = 1_000;
/** Codes of refusals because the live version is not the one reviewed. */
const changedCodes = ['published_meanwhile', 'comparison_outdated', 'losses_unconfirmed'];

/** Publishes a reviewed submission. If the live version has changed meanwhile, asks again with new figures. */
export async function publish(submission: Submission): Promise<boolean> {
  let shown = submission;
  for (let hasChanged = false; ; hasChanged = true) {
    let now: Submission | undefined;
    const { id, datasets, comparison } = shown;
    const isDone = await ask(publicationQuestion(shown, hasChanged), async () => {
      const replaces = datasets.flatMap(({ replaces }) => replaces ?? []);
      try {
        const body = { replaces, comparison };
        await api.post('/api/operator/submissions/{id}/publish', { path: { id }, body });
      } catch (error) {
        now = await asItIsNow(id, asApiError(error));
      }
    });
    if (!now) {
      if (isDone) announce(`${submission.file.name} is published.`);
      return isDone;
    }
    shown = now;
  }
}

/** Reloads a submission with its current change. @throws CovermapApiError the refusal, if it had another reason */
async function asItIsNow(id: string, refusal: CovermapApiError): Promise<Submission> {
  if (!changedCodes.includes(String(refusal.code))) throw refusal;
  for (;;) {
    const now = await api.get('/api/operator/submissions/{id}', { path: { id } });
    if (now.status !== 'ready') throw refusal;
    if (!now.comparing) return now;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

function publicationQuestion(submission: Submission, hasChanged: boolean): Question {
  const { file, datasets, blocking, held_back: isHeldBack } = submission;
  const replaced = datasets.filter(({ replaces }) => replaces !== null).map(labelOf);
  return {
    title: `Publish ${file.name}?`,
    body: (
      <>
        {hasChanged && (
          <Notice
            tone="bad"
            title={
              datasets.some(({ premises }) => premises)
                ? 'Another version has been published, or addresses were imported, since you looked.'
                : 'Another version has been published since you looked.'
            }
            text="Below is the difference to that one."
          />
        )}
        <p>
          {replaced.length === 0
            ? 'Lookups answer from this file at once. You can take it offline again.'
            : `This replaces all of your live ${replaced.join(' and ')} coverage. You can roll back.`}
        </p>
        <ProcessingFee of={submission} />
        {isHeldBack && <p>It was held back instead of being published automatically.</p>}
        {datasets.map((one) => (
          <Change key={one.id} dataset={one} />
        ))}
        {blockingOtherThanLoss(submission).map(({ message }) => (
          <Notice key={message} tone="warning" title={message} />
        ))}
      </>
    ),
    confirm: blocking.length > 0 ? 'Publish anyway' : 'Publish',
    danger: blocking.length > 0,
  };
}

/** The fee for the service’s modelling, if the action charges it. */
function ProcessingFee({ of: { processing_fee_cents: cents } }: { of: Submission | Dataset }) {
  if (!cents) return null;
  return (
    <Notice
      tone="info"
      title={`A processing fee of ${money(cents)} (excl. GST) is charged.`}
      text="We modelled this coverage. The fee is on the invoice for this month, once for this submission."
    />
  );
}

/** Blocking warnings other than a loss, which is shown with its figures. */
export function blockingOtherThanLoss({ blocking }: Submission): Submission['blocking'] {
  return blocking.filter(({ code }) => !isLoss(code));
}

interface ChangeProps {
  dataset: SubmissionDataset;
  /** Details of a loss. */
  ofLoss?: ComponentChildren;
}

/** The change by a dataset. Lost, unchanged and covered by other scopes add up to the live area. */
export function Change({ dataset, ofLoss }: ChangeProps) {
  const { replaces, area_km2: all } = dataset;
  const label = labelOf(dataset);
  const change = lookupChange(dataset);
  if (replaces === null || !change) {
    const note = replaces === null ? ' (first version)' : '. What would be lost is not known.';
    return (
      <>
        <p>{`${label}: ${area(all ?? 0)}${note}`}</p>
        <PremisesFigures {...dataset} />
      </>
    );
  }
  const { gained, lost, unchanged, uncovered, downgraded, elsewhere, live } = change;
  const premises = dataset.change?.premises;
  const ofPremises = premises && lossWords(premises);
  const ofArea = lost >= minLossKm2 && `${area(lost)} would be lost, ${percent(lost, live)} of what is live.`;
  const parts =
    downgraded > 0 &&
    `${area(uncovered)} is not covered any more. ${area(downgraded)} is covered, but not available any more.`;
  const text = ofPremises
    ? [othersWords(premises), ofArea, ofArea && parts]
    : [parts, premises && 'No premises would lose service.'];
  return (
    <>
      {(ofPremises || ofArea) && (
        <Notice
          tone="warning"
          title={`${label}: ${ofPremises ?? ofArea}`}
          text={text.filter(Boolean).join(' ')}
        >
          {ofLoss}
        </Notice>
      )}
      <p>{label}:</p>
      <PremisesFigures {...dataset} />
      <Figures
        list={[
          { label: 'Gained', value: area(gained) },
          { label: 'Lost', value: area(lost) },
          { label: 'Unchanged', value: area(unchanged) },
          ...(elsewhere > 0 ? [{ label: 'Stays live in other scopes', value: area(elsewhere) }] : []),
        ]}
      />
    </>
  );
}

/** Withdraws a submission before it is published. */
export function withdraw({ id, file }: Submission): Promise<boolean> {
  return ask(
    {
      title: `Withdraw ${file.name}?`,
      body: 'It will not be published. Live coverage is unchanged.',
      confirm: 'Withdraw submission',
      danger: true,
    },
    () => api.post('/api/operator/submissions/{id}/withdraw', { path: { id } }),
  );
}

/** Makes a previous version live again, in place of the current one. */
export function rollBack(version: Dataset, live: Dataset | undefined): Promise<boolean> {
  const { id, file_name: name, replaces } = version;
  const lookups = `Lookups of ${labelOf(version)} answer from`;
  return ask(
    {
      title: `Roll back to ${name}?`,
      body: [
        `${lookups} the file of ${when(version.received_at)}${sizeOf(version)} again.`,
        live && `${live.file_name}${sizeOf(live)}, which is live now, is kept: you can return to it.`,
        <ProcessingFee key="fee" of={version} />,
      ],
      confirm: 'Roll back',
      done: `${lookups} ${name} again.`,
    },
    () => api.post('/api/operator/datasets/{id}/rollback', { path: { id }, body: { replaces } }),
  );
}

/** Takes a version offline, without a replacement. */
export function takeOffline(version: Dataset): Promise<boolean> {
  const label = labelOf(version);
  return ask(
    {
      title: `Take ${label} offline?`,
      body: [
        <Notice
          key="loss"
          tone="warning"
          title={`Lookups stop answering from ${version.file_name}${sizeOf(version)}.`}
          text="Nothing takes its place. What is live in other scopes stays."
        />,
        'The version is kept: you can roll back to it.',
      ],
      confirm: 'Take offline',
      danger: true,
      done: `${label} is offline.`,
    },
    () => api.post('/api/operator/datasets/{id}/unpublish', { path: { id: version.id } }),
  );
}

function sizeOf({ area_km2: km2 }: Dataset): string {
  return km2 === null ? '' : ` (${area(km2)})`;
}
