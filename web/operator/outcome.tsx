import { api } from '../shared/client.ts';
import type { Dataset, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, Notice } from '../shared/ui/notice.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { type ChangedPremises, ChangedSuburbs } from './changed-premises.tsx';
import { isStaff, labelOf, technologyLabel, versionsPath } from './context.ts';
import { heldBackWords } from './held-back.ts';
import { LostAreas, type ShownLoss } from './lost-areas.tsx';
import { ModelAgain, ModellingDeclined, PredictionForm } from './modelling.tsx';
import { isOnlyCounting } from './premises-words.ts';
import { ProposedExclusions } from './proposed-exclusions.tsx';
import { blockingOtherThanLoss, Change, publish, rollBack, withdraw } from './publishing.tsx';
import { ReprocessButton, TryAgainAs } from './reprocess.tsx';
import { isOffline } from './status.tsx';

type OutcomeProps = { submission: Submission };
type ReviewProps = OutcomeProps & { lost: ShownLoss; changed: ChangedPremises };

/** The outcome of a finished submission, and the actions on it. */
export function Outcome({ submission, ...shown }: ReviewProps) {
  if (submission.waiting_for === 'prediction') return <PredictionWanted submission={submission} />;
  if (submission.status === 'failed') return <Failed submission={submission} />;
  if (submission.status === 'ready') return <Ready submission={submission} {...shown} />;
  if (submission.status === 'withdrawn')
    return (
      <>
        <Notice tone="info" title="Withdrawn. It was never published." />
        <div class="actions">
          <ReprocessButton id={submission.id} />
        </div>
      </>
    );
  return (
    <>
      {submission.status === 'published' ? (
        <Notice tone="good" title="Live." text="Lookups answer from this file." />
      ) : isOffline(submission) ? (
        <Notice tone="info" title="Taken offline." text="Nothing is live in its place." />
      ) : (
        <Notice tone="info" title="Superseded." text="Another version is live." />
      )}
      <Versions submission={submission} />
    </>
  );
}

function WithdrawButton({ submission }: OutcomeProps) {
  if (!submission.can.withdraw) return null;
  return (
    <Button kind="quiet" onClick={() => withdraw(submission)}>
      Withdraw
    </Button>
  );
}

function Failed({ submission }: OutcomeProps) {
  const { id, error } = submission;
  return (
    <>
      <ErrorNotice error={error ?? { message: 'Validation failed.' }} />
      {(error?.code === 'reference_system_missing' || error?.choices) && (
        <TryAgainAs
          submission={submission}
          choices={error.choices ?? []}
          isStated={error.code !== 'reference_system_missing'}
        />
      )}
      <p>Live coverage is unchanged.</p>
      <div class="actions">
        <a class="button primary" href="#/">
          Upload corrected file
        </a>
        <ReprocessButton id={id}>Edit description</ReprocessButton>
        <WithdrawButton submission={submission} />
      </div>
    </>
  );
}

function Ready({ submission, lost, changed }: ReviewProps) {
  const { datasets, comparing, provider } = submission;
  if (!submission.can.publish || (submission.publish === 'auto' && !submission.waiting_for))
    return <Notice tone="info" title="Validated. It is about to be published automatically." />;
  const isFirst = datasets.every(({ change }) => change === null);
  const isCounting = comparing && isOnlyCounting(datasets);
  return (
    <>
      {comparing && (
        <Notice
          tone="info"
          title={isCounting ? 'Counting premises …' : 'Comparing.'}
          text={
            isCounting
              ? 'You can publish once it is known how many would lose service.'
              : 'You can publish once this is compared with what is live.'
          }
        />
      )}
      <h2>What would change</h2>
      {(!comparing || isCounting) &&
        datasets.map((one) => (
          <Change
            key={one.id}
            dataset={one}
            ofLoss={
              <>
                <LostAreas submission={submission} dataset={one} shown={lost} />
                <ChangedSuburbs submission={submission} dataset={one} changed={changed} shown={lost} />
              </>
            }
          />
        ))}
      {blockingOtherThanLoss(submission).map(({ code, message }) => (
        <Notice key={message} tone="warning" title={message}>
          {code === 'provider_url_missing' && (
            <a class="button" href={isStaff() ? `#/providers/${provider.id}` : '#/profile'}>
              Complete profile
            </a>
          )}
        </Notice>
      ))}
      <ProposedExclusions submission={submission} />
      <p>
        {submission.held_back
          ? heldBackWords(submission)
          : `Validated. Only you can see it. Review ${isFirst ? 'it' : 'the changes'} on the map, then publish.`}
      </p>
      <div class="actions">
        {!comparing && (
          <Button kind="primary" onClick={() => publish(submission)}>
            Publish
          </Button>
        )}
        {blockingOtherThanLoss(submission).some(({ code }) => code !== 'provider_url_missing') && (
          <ReprocessButton id={submission.id}>Edit description</ReprocessButton>
        )}
        <WithdrawButton submission={submission} />
      </div>
      {isStaff() && submission.can.attach_prediction && (
        <>
          <details>
            <summary>Model again</summary>
            <ModelAgain submission={submission} />
          </details>
          <details>
            <summary>Upload another prediction</summary>
            <PredictionForm submission={submission} />
          </details>
        </>
      )}
    </>
  );
}

/** Offers a rollback to this version, or from it to the previous one. */
function Versions({ submission }: OutcomeProps) {
  const { technologies, provider } = submission;
  const of = { limit: 500, ...(isStaff() ? { provider: provider.name } : {}) };
  const versions = useResource(
    () =>
      Promise.all(
        technologies.map((technology) => api.get('/api/operator/datasets', { query: { technology, ...of } })),
      ),
    'anywhere',
  );
  const offers = (versions.data.value ?? []).flatMap(({ datasets }) => offerOf(submission, datasets) ?? []);
  return (
    <>
      <div class="actions">
        {offers.map(({ target, live }) => (
          <Button key={target.technology} icon="undo" onClick={() => rollBack(target, live)}>
            {target.submission_id === submission.id ? 'Restore' : `Roll back to ${target.file_name}`}
            {` (${labelOf(target)})`}
          </Button>
        ))}
      </div>
      <p class="small">
        {technologies.map((technology) => (
          <a key={technology} class="spaced" href={versionsPath(technology, provider)}>
            Version history of {technologyLabel(technology)}
          </a>
        ))}
      </p>
    </>
  );
}

/** The version to roll back to: the previous live one, or this one itself. */
function offerOf({ id }: Submission, datasets: readonly Dataset[]) {
  const mine = datasets.find(({ submission_id: from }) => from === id);
  const alike = datasets.filter(({ scope }) => scope.toLowerCase() === (mine?.scope ?? '').toLowerCase());
  const live = alike.find(({ state }) => state === 'published');
  const [before] = alike
    .filter(({ can_roll_back: can }) => can)
    .sort((a, b) => (b.superseded_at ?? '').localeCompare(a.superseded_at ?? ''));
  const target = mine?.state === 'published' ? before : mine?.can_roll_back ? mine : undefined;
  return target && { target, live };
}

function PredictionWanted({ submission }: OutcomeProps) {
  return (
    <>
      <Notice
        tone="info"
        title="Tower data received."
        text="We model coverage from these towers. It appears here, and you can review it before it is published."
      />
      <ModellingDeclined submission={submission} />
      {isStaff() && submission.can.attach_prediction && (
        <PredictionForm submission={submission}>
          <a class="button" href={`/api/operator/submissions/${submission.id}/file`} download>
            Download towers
          </a>
        </PredictionForm>
      )}
      <div class="actions">
        <WithdrawButton submission={submission} />
      </div>
    </>
  );
}
