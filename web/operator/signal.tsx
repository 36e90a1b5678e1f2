import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { onColoursChanged } from '../shared/map/colours.ts';
import { Swatch } from '../shared/map/legend.tsx';
import {
  areasByGrey,
  classesByGrey,
  colourOf,
  loadPicture,
  type SignalPicture,
  signalOverlay,
} from '../shared/map/signal.ts';
import type { Position } from '../shared/position.ts';
import type { ModellingReport, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { type Resource, useResource } from '../shared/use-resource.tsx';
import { area, count, speed } from '../shared/words.ts';
import { ModelFacts } from './model-facts.tsx';
import { PathProfileView } from './path-profile.tsx';
import { isUnderWork } from './status.tsx';
import { drawTowers, loadTowers } from './tower-layers.ts';
import { TowerTrialView, type TurnedTower } from './tower-trial.tsx';
import { TriedPremises, useTriedPremises } from './tried-premises.tsx';
import type { MapSignal } from './with-map.tsx';

/** The range of tried thresholds, in dBm. */
const [weakest, strongest] = [-130, -30];

type SignalChoices = ReturnType<typeof useSignalChoices>;

/** The tried thresholds and the chosen place; they survive a change of the map's side. */
export function useSignalChoices() {
  return {
    /** In dBm, the strongest first; undefined for those of the coverage. */
    thresholds: useSignal<readonly number[] | undefined>(undefined),
    place: useSignal<Position | undefined>(undefined),
  };
}

interface SignalViewProps {
  submission: Submission;
  report: ModellingReport;
  map: MapSignal;
  choices: SignalChoices;
}

/** The modelled signal on the map, with its legend, a slider for each threshold, and the terrain to a place. Other thresholds show at once. */
export function SignalView({ submission, report, map, choices: { thresholds, place } }: SignalViewProps) {
  const { id, can, modelling } = submission;
  /** The newest modelling has its own picture. */
  const version = useSignal(modelling?.finished_at);
  version.value = modelling?.finished_at;
  const picture = useResource(() => {
    void version.value;
    const { place, floor_dbm } = report.picture;
    return loadPicture(`/api/operator/submissions/${id}/signal/picture`, place, floor_dbm);
  });
  const towers = useResource(() => {
    void version.value;
    return loadTowers(id);
  });
  const given = thresholdsOf(report);
  const tried = thresholds.value?.length === given.length ? thresholds.value : given;
  const { value: shown } = picture.data;
  const { value: places } = towers.data;
  useEffect(() => {
    const { value: view } = map;
    if (!view || !shown) return;
    const draw = () => view.show('signal', signalOverlay(shown, tried));
    draw();
    const end = onColoursChanged(draw);
    return () => {
      end();
      view.hide('signal');
    };
  }, [map.value, shown, tried.join()]);
  // The form stays while its towers are modelled.
  const mayTry = can.try_changes || (can.try_changes !== undefined && isUnderWork(submission));
  const turned: TurnedTower = useSignal(undefined);
  const azimuth = turned.value?.azimuth_deg;
  useEffect(() => {
    if (!map.value || !places) return;
    const features = places.features.map((tower) =>
      azimuth !== undefined && tower.properties.number === turned.value?.number
        ? { ...tower, properties: { ...tower.properties, azimuth_deg: azimuth } }
        : tower,
    );
    return drawTowers(map.value, { ...places, features });
  }, [map.value, places, azimuth, turned.value?.number]);
  useEffect(() => {
    if (!map.value || !can.profile_paths) return;
    return map.value.onChosen((chosen) => set(place, chosen));
  }, [map.value, can.profile_paths]);
  useEffect(() => {
    map.value?.mark(place.value ? [place.value] : []);
    return () => map.value?.mark();
  }, [map.value, place.value]);
  return (
    <>
      <Legend {...{ submission, report, picture, tried, thresholds }} />
      {can.profile_paths && (
        <PathProfileView submissionId={id} report={report} towers={towers.data} place={place} />
      )}
      {mayTry && places && <TowerTrialView {...{ submission, turned }} towers={places} />}
      <ModelFacts report={report} />
    </>
  );
}

const thresholdsOf = ({ speeds }: ModellingReport): number[] => speeds.map(({ dbm }) => dbm);

interface LegendProps {
  submission: Submission;
  report: ModellingReport;
  picture: Resource<SignalPicture>;
  tried: readonly number[];
  thresholds: SignalChoices['thresholds'];
}

function Legend({ submission, report, picture, tried, thresholds }: LegendProps) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const { error, attempt } = useAttempt();
  const km2 = useComputed(() => picture.data.value && areasByGrey(picture.data.value));
  const areas = areasOf(tried, report, km2.value);
  const premises = useTriedPremises(submission, tried);
  const given = thresholdsOf(report);
  const isChanged = tried.some((dbm, i) => dbm !== given[i]);
  const isMadeAgain = isUnderWork(submission);
  const canApply = submission.status === 'ready' && submission.modelling?.state === 'done';
  const move = (index: number, wanted: number) => {
    const [above = strongest + 1, below = weakest - 1] = [tried[index - 1], tried[index + 1]];
    const dbm = Math.min(above - 1, Math.max(below + 1, wanted));
    set(thresholds, tried.with(index, dbm));
    return dbm;
  };
  const apply = () =>
    attempt(async () => {
      const speeds = report.speeds.map((step, i) => ({ ...step, dbm: tried[i] as number }));
      await api.post('/api/operator/submissions/{id}/speeds', {
        path: { id: submission.id },
        body: { speeds },
      });
      fieldset.current?.focus();
    });
  const reset = () => {
    set(thresholds, undefined);
    fieldset.current?.focus();
  };
  return (
    <fieldset class="legend signal-legend wide" ref={fieldset} tabIndex={-1} disabled={isMadeAgain}>
      <legend>Received signal, and the speed it gives</legend>
      <ErrorNotice error={picture.error.value}>
        <Button onClick={picture.reload}>Try again</Button>
      </ErrorNotice>
      <ul class="bare-list signal-classes">
        {report.speeds.map((step, i) => {
          const words = `${speed(step.bandwidth_max_mbps)} down, ${speed(step.bandwidth_up_max_mbps)} up`;
          const ground = areas && area(areas[i] as number);
          const ofStep = premises.data.value?.speeds[i];
          const homes = ofStep && count(ofStep.premises, 'premises', 'premises');
          return (
            <li key={step.dbm} class="signal-class">
              <Swatch name={colourOf(i, tried.length)} />
              <span>{words}</span>
              <input
                type="range"
                name={`threshold-${i}`}
                aria-label={`${words}: from`}
                aria-valuetext={[`${tried[i]} dBm`, ground, homes].filter(Boolean).join(', ')}
                min={weakest}
                max={strongest}
                step={1}
                value={tried[i]}
                onInput={({ currentTarget }) => {
                  currentTarget.value = String(move(i, Number(currentTarget.value)));
                }}
              />
              <span class="figure">from {tried[i]} dBm</span>
              <span class="muted figure">
                {ground}
                {homes && (
                  <>
                    <br />
                    {homes}
                  </>
                )}
              </span>
            </li>
          );
        })}
        <li class="signal-class">
          <Swatch name="unchanged" />
          <span class="weaker">weaker: no coverage</span>
        </li>
      </ul>
      <div class="stack tight" aria-live="polite">
        <TriedPremises tried={premises} />
        {isMadeAgain && (
          <p class="hint">The areas are being made again with these thresholds. The signal stays as it is.</p>
        )}
        {isChanged && !isMadeAgain && (
          <p class="hint">
            The map shows what these thresholds would give.{' '}
            {canApply
              ? 'Your submission still has the ones before.'
              : 'They can be used only until the coverage is published.'}
          </p>
        )}
      </div>
      {isChanged && !isMadeAgain && (
        <div class="actions">
          {canApply && (
            <Button kind="primary" onClick={apply}>
              Use these thresholds
            </Button>
          )}
          <Button onClick={reset}>Reset</Button>
        </div>
      )}
      <ErrorNotice error={error.value} />
    </fieldset>
  );
}

/** The ground of each class, in km2. */
function areasOf(
  thresholds: readonly number[],
  { picture }: ModellingReport,
  byGrey: Float64Array | undefined,
): number[] | undefined {
  if (!byGrey) return undefined;
  const classes = classesByGrey(thresholds, picture.floor_dbm);
  return thresholds.map((_, index) =>
    byGrey.reduce((sum, one, grey) => sum + (classes[grey] === index ? one : 0), 0),
  );
}
