import { type ReadonlySignal, useComputed } from '@preact/signals';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import type { Box } from '../shared/map/box.ts';
import type { ComparedPremises, Submission, SubmissionDataset, SuburbPremises } from '../shared/schemas.ts';
import { Figures } from '../shared/ui/facts.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { type Resource, useResource } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';
import { labelOf } from './context.ts';
import type { ShownLoss } from './lost-areas.tsx';
import { suburbName } from './premises-words.ts';

/* The premises that a file changes, by suburb. Without addresses, none of it is shown. */

/** The number of listed suburbs; others are added up. */
const maxListed = 8;
/** Those that a map shows. */
const maxSuburbs = 300;
/** Around a suburb, in degrees: its premises may be in one place. */
const margin = 0.004;

export type ChangedPremises = Resource<ComparedPremises | undefined>;

/** The changed premises by suburb, asked for whenever they are counted anew. */
export function useChangedPremises(submission: ReadonlySignal<Submission | undefined>): ChangedPremises {
  const counted = useComputed(() => {
    const { id = '', datasets = [] } = submission.value ?? {};
    const changes = datasets.map(({ change, premises }) => [change?.premises, premises]);
    return datasets.some(({ premises }) => premises?.state === 'counted')
      ? JSON.stringify([id, changes])
      : '';
  });
  return useResource(async () => {
    if (counted.value === '') return undefined;
    const [id] = JSON.parse(counted.value) as [string];
    return api.get('/api/operator/submissions/{id}/premises', { path: { id }, query: { limit: maxSuburbs } });
  });
}

/** The figures of a dataset in premises. */
export function PremisesFigures({ change, premises }: Pick<SubmissionDataset, 'change' | 'premises'>) {
  if (premises?.state !== 'counted') return null;
  const covered = { label: 'Premises in service', value: number(premises.covered ?? 0) };
  if (!change?.premises) return <Figures list={[covered]} />;
  const { before, gained, lost, faster, slower } = change.premises;
  return (
    <Figures
      list={[
        { ...covered, note: `${number(before)} now` },
        { label: 'Lose service', value: number(lost) },
        { label: 'Slower', value: number(slower) },
        { label: 'Gain service', value: number(gained) },
        { label: 'Faster', value: number(faster) },
      ]}
    />
  );
}

const listed = { lost: 'lose service', slower: 'become slower' } as const;

interface SuburbsProps {
  submission: Submission;
  dataset: SubmissionDataset;
  changed: ChangedPremises;
  shown: ShownLoss;
}

/** Where a dataset's premises lose service or become slower: each suburb can be shown on the map. */
export function ChangedSuburbs({ submission, dataset, changed, shown }: SuburbsProps) {
  const found = changed.data.value?.datasets.find(({ dataset_id: id }) => id === dataset.id);
  if (!found?.suburbs || !found.change) return null;
  const lists = found.suburbs.filter((one) => one.change in listed && one.suburbs.length > 0);
  if (found.change.lost + found.change.slower === 0) return null;
  return (
    <div class="lost-places">
      {lists.map(({ change, suburbs }) => (
        <Suburbs
          key={change}
          title={`Premises that ${listed[change as keyof typeof listed]}, by suburb`}
          label={labelOf(dataset)}
          suburbs={suburbs}
          all={found.change?.[change] ?? 0}
          shown={shown}
        />
      ))}
      <PremisesDownload submission={submission} />
    </div>
  );
}

interface ListProps {
  title: string;
  label: string;
  suburbs: readonly SuburbPremises[];
  all: number;
  shown: ShownLoss;
}

function Suburbs({ title, label, suburbs, all, shown }: ListProps) {
  const few = suburbs.slice(0, maxListed);
  const rest = all - few.reduce((sum, { premises }) => sum + premises, 0);
  return (
    <>
      <p class="small">{title}</p>
      <ul class="bare-list" aria-label={`${title}: ${label}`}>
        {few.map((suburb) => (
          <li key={`${suburb.suburb} ${suburb.town}`}>
            <button
              type="button"
              class="bare-button place"
              onClick={() => {
                shown.value = { box: boxOf(suburb) };
                announce(`The map shows ${suburbName(suburb)}.`);
              }}
            >
              <Icon name="pin" size={16} />
              <span>{`${suburbName(suburb)}: ${number(suburb.premises)}`}</span>
              <span class="visually-hidden">, show on the map</span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="hint">{`And ${count(rest, 'premises', 'premises')} elsewhere.`}</p>}
    </>
  );
}

function boxOf({ west, south, east, north }: SuburbPremises): Box {
  return [west - margin, south - margin, east + margin, north + margin];
}

/** The list of addresses, where premises are counted. */
export function PremisesDownload({ submission: { id, datasets } }: { submission: Submission }) {
  if (!datasets.some(({ premises }) => premises?.state === 'counted')) return null;
  return (
    <a class="button" href={`/api/operator/submissions/${id}/premises.csv`} download>
      <Icon name="download" />
      Download addresses
    </a>
  );
}
