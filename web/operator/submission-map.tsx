import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asValue, isIn, set } from '../shared/field-value.ts';
import { SpeedLegend, Swatch } from '../shared/map/legend.tsx';
import type { CoverageMap } from '../shared/map/map.ts';
import {
  type ChangeKind,
  changeKinds,
  changeLayer,
  changeOverlay,
  coverageOverlay,
  type ProblemPlace,
  problemLayer,
  problemOverlay,
  problemPlaces,
} from '../shared/map/overlays.ts';
import type { Report, Submission } from '../shared/schemas.ts';
import { Checkbox, RadioGroup } from '../shared/ui/fields.tsx';
import { area } from '../shared/words.ts';
import type { ChangedPremises } from './changed-premises.tsx';
import { lookupChange } from './lookup-change.ts';
import { boxOfLosses, type ShownLoss } from './lost-areas.tsx';
import { PremisesOnMap, usePremisesOnMap } from './premises-map.tsx';
import type { SelectedPlace } from './report.tsx';
import { SignalView, useSignalChoices } from './signal.tsx';
import { MapCard, useMap } from './with-map.tsx';

const changeWords: Record<ChangeKind, string> = {
  gained: 'Gained: covered only by this file',
  lost: 'Lost: no longer covered, or no longer available',
  unchanged: 'Unchanged: covered before and after',
};
const markWords = { dropped: 'Dropped', repaired: 'Repaired', clipped: 'Clipped' };

type Side = 'coverage' | 'change' | 'signal';

export interface SubmissionMapProps {
  submission: Submission;
  report: Report;
  selected: Signal<SelectedPlace | undefined>;
  lost: ShownLoss;
  changed: ChangedPremises;
}

/** A map of the file's coverage or its change, with a legend. */
export function SubmissionMap({ submission, report, selected, lost, changed }: SubmissionMapProps) {
  const { id, status, datasets, modelling } = submission;
  const { problems, tiers, bbox } = report;
  const card = useRef<HTMLElement>(null);
  const map = useMap();
  /** The chosen side; by default the change, if there is a decision to make. */
  const chosen = useSignal<Side | undefined>(undefined);
  const shown = useSignal<readonly ChangeKind[]>(changeKinds);
  const hasChange = datasets.some(({ change }) => change !== null);
  // Coverage attached by staff has another signal.
  const modelled = (modelling?.state !== 'cancelled' && modelling?.report) || undefined;
  const side = chosen.value ?? (hasChange && status === 'ready' ? 'change' : 'coverage');
  const changeTitle =
    status === 'published' || status === 'superseded' ? 'What changed' : 'What would change';
  // A change depends on the live version: the address of its tiles has the version's id.
  const comparedWith = datasets.map(({ change }) => change?.compared_with ?? 0).join('-');

  // A loss needs a decision, so it is shown first; the file has nothing there.
  const lossBox = status === 'ready' ? boxOfLosses(submission) : undefined;
  const start = lossBox ?? bbox ?? undefined;
  const startedAt = useRef(start);
  useEffect(() => {
    // Compared with another version since: the map moves, unless something else was chosen.
    if (!map.value || !lossBox || lossBox.join() === startedAt.current?.join()) return;
    startedAt.current = lossBox;
    if (!chosen.value && !selected.value) map.value.fit(lossBox);
  }, [map.value, lossBox?.join()]);
  useEffect(() => {
    if (!map.value || !lost.value) return;
    chosen.value = 'change';
    shown.value = shown.value.includes('lost') ? shown.value : [...shown.value, 'lost'];
    map.value.fit(lost.value.box);
    showCard(card.current);
  }, [map.value, lost.value]);

  const chosenPremises = usePremisesOnMap({ submission, changed, map, isShown: side === 'change' });
  const choices = useSignalChoices();
  useEffect(() => {
    const base = `/api/operator/submissions/${id}`;
    for (const name of ['coverage', 'change']) map.value?.hide(name);
    if (side === 'coverage') map.value?.show(side, coverageOverlay(`${base}/tiles/{z}/{x}/{y}.mvt`));
    if (side === 'change')
      map.value?.show(side, changeOverlay(`${base}/change/{z}/{x}/{y}.mvt?with=${comparedWith}`));
  }, [map.value, id, side, comparedWith]);
  useEffect(() => {
    if (!map.value) return;
    onPlaceClicked(map.value, ({ problem, example }) => {
      const place = problemPlaces(problems).find((one) => one.problem === problem && one.example === example);
      if (place) selected.value = { place, by: 'map' };
    });
  }, [map.value]);
  useEffect(() => {
    map.value?.show('problems', problemOverlay(problems, selected.value?.place));
  }, [map.value, side, problems, selected.value]);
  useEffect(() => {
    if (!map.value || selected.value?.by !== 'report') return;
    const { lat, lng } = selected.value.place;
    const { map: view } = map.value;
    view.flyTo({ center: [lng, lat], zoom: Math.max(view.getZoom(), 14), duration: 800 });
    showCard(card.current);
  }, [map.value, selected.value]);
  useEffect(() => {
    for (const kind of changeKinds) map.value?.setVisible([changeLayer(kind)], shown.value.includes(kind));
  }, [map.value, shown.value]);

  const marks = (['dropped', 'repaired', 'clipped'] as const).filter((kind) =>
    problemPlaces(problems).some(({ problem }) => problems[problem]?.kind === kind),
  );
  const sides: [Side, string][] = [
    ['coverage', submission.kind === 'towers' ? 'Coverage' : 'This file'],
    ...(hasChange ? [['change', changeTitle] as [Side, string]] : []),
    ...(modelled ? [['signal', 'Signal of the towers'] as [Side, string]] : []),
  ];
  const caption = sides.length > 1 && (
    <RadioGroup
      legend="Show on the map"
      name="side"
      options={sides}
      value={asValue<Side>(side, (to) => {
        set(chosen, to);
        // The file has no coverage where something is lost.
        if (to === 'coverage' && lossBox && bbox) map.value?.fit(bbox);
      })}
    />
  );
  const legend = (
    <>
      {side === 'signal' && modelled ? (
        <SignalView submission={submission} report={modelled} map={map} choices={choices} />
      ) : side === 'change' ? (
        <>
          <fieldset class="legend">
            <legend>{changeTitle}</legend>
            {changeKinds.map((kind) => (
              <Checkbox key={kind} name={`show-${kind}`} value={isIn(shown, kind)}>
                <Swatch name={kind} />
                {`${changeWords[kind]}, ${area(totalOf(kind, datasets))}`}
              </Checkbox>
            ))}
          </fieldset>
          <PremisesOnMap submission={submission} changed={changed} chosen={chosenPremises} map={map} />
        </>
      ) : (
        <SpeedLegend
          speeds={tiers.map((tier) => tier.bandwidth_max_mbps)}
          later={tiers.some(({ availability }) => availability !== 'available')}
        />
      )}
      {marks.length > 0 && (
        <div class="legend">
          <p class="legend-title">Issues</p>
          <ul class="bare-list stack close">
            {marks.map((kind) => (
              <li key={kind} class="row">
                <Swatch name={kind} />
                {markWords[kind]}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
  return (
    <MapCard
      label="Map of the coverage in this file"
      map={map}
      options={{ start }}
      caption={caption}
      legend={legend}
      cardRef={card}
    />
  );
}

/** Square kilometres of all technologies. Ground that another scope still covers counts as unchanged. */
function totalOf(kind: ChangeKind, datasets: Submission['datasets']): number {
  const changes = datasets.flatMap((dataset) => lookupChange(dataset) ?? []);
  return changes.reduce(
    (sum, change) => sum + change[kind] + (kind === 'unchanged' ? change.elsewhere : 0),
    0,
  );
}

/** On a phone, the map is out of sight of the button that changes it. */
function showCard(card: HTMLElement | null): void {
  if (window.matchMedia('(max-width: 900px)').matches) card?.scrollIntoView({ block: 'start' });
}

type PlaceKey = Pick<ProblemPlace, 'problem' | 'example'>;

function onPlaceClicked({ map }: CoverageMap, clicked: (place: PlaceKey) => void): void {
  map.on('click', problemLayer, ({ features }) => {
    if (features?.[0]) clicked(features[0].properties as PlaceKey);
  });
  const setCursor = (cursor: string) => () => {
    map.getCanvas().style.cursor = cursor;
  };
  map.on('mouseenter', problemLayer, setCursor('pointer'));
  map.on('mouseleave', problemLayer, setCursor(''));
}
