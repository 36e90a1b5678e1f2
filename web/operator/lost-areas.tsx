import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { set } from '../shared/field-value.ts';
import type { Box } from '../shared/map/box.ts';
import { loadTowns, type Town } from '../shared/map/places.ts';
import type { Submission, SubmissionDataset } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { area } from '../shared/words.ts';
import { labelOf } from './context.ts';
import { lookupChange, minLossKm2 } from './lookup-change.ts';
import { boxOfLost, byNearestTown } from './lost-places.ts';

/** The number of listed places; other losses are added up. */
const maxPlaces = 10;

/** The lost area to show. A new object each time, so that the same one can be shown again. */
export type ShownLoss = Signal<{ box: Box } | undefined>;

type LostAreasProps = { submission: Submission; dataset: SubmissionDataset; shown: ShownLoss };

/** The places where a dataset would lose live coverage. Each can be shown on the map. */
export function LostAreas({ submission, dataset, shown }: LostAreasProps) {
  const towns = useSignal<readonly Town[] | undefined>(undefined);
  useEffect(() => {
    void loadTowns().then((loaded) => set(towns, loaded));
  }, []);
  const areas = lostAreasOf(submission, dataset);
  const whole = boxOfLost(areas);
  if (!whole || !towns.value) return null;
  const show = (box: Box, what: string) => {
    shown.value = { box };
    announce(`The map shows what is lost${what}.`);
  };
  // Where premises lose service, their suburbs say more.
  if ((dataset.change?.premises?.lost ?? 0) > 0)
    return <ShowAll dataset={dataset} show={() => show(whole, '')} />;
  const listed = byNearestTown(areas, towns.value).slice(0, maxPlaces);
  const rest = (lookupChange(dataset)?.lost ?? 0) - listed.reduce((sum, { km2 }) => sum + km2, 0);
  return (
    <div class="lost-places">
      <ShowAll dataset={dataset} show={() => show(whole, '')} />
      <ul class="bare-list" aria-label={`Lost by nearest town: ${labelOf(dataset)}`}>
        {listed.map(({ name, km2, box }) => (
          <li key={box.join()}>
            <button type="button" class="bare-button place" onClick={() => show(box, ` near ${name}`)}>
              <Icon name="pin" size={16} />
              <span>{`Near ${name}: ${area(km2)}`}</span>
              <span class="visually-hidden">, show on the map</span>
            </button>
          </li>
        ))}
      </ul>
      {rest >= minLossKm2 && <p class="hint">{`And ${area(rest)} elsewhere.`}</p>}
    </div>
  );
}

function ShowAll({ dataset, show }: { dataset: SubmissionDataset; show(): void }) {
  return (
    <Button icon="pin" label={`Show what is lost: ${labelOf(dataset)}`} onClick={show}>
      Show what is lost
    </Button>
  );
}

/** The lost areas of a file's dataset, if they are large enough to be shown. */
function lostAreasOf({ lost_areas: all = [] }: Submission, dataset: SubmissionDataset) {
  if ((lookupChange(dataset)?.lost ?? 0) < minLossKm2) return [];
  return all.find(({ dataset_id: id }) => id === dataset.id)?.areas ?? [];
}

/** The box of all lost areas of a file; undefined if there are none. */
export function boxOfLosses(submission: Submission): Box | undefined {
  return boxOfLost(submission.datasets.flatMap((dataset) => lostAreasOf(submission, dataset)));
}
