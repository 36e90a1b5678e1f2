import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { onColoursChanged } from '../shared/map/colours.ts';
import { Swatch } from '../shared/map/legend.tsx';
import type { CoverageMap } from '../shared/map/map.ts';
import {
  areasByGrey,
  classesByGrey,
  colourOf,
  loadPicture,
  type SignalPicture,
  signalOverlay,
} from '../shared/map/signal.ts';
import type { ModellingReport, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice } from '../shared/ui/notice.tsx';
import { useAttempt } from '../shared/use-attempt.ts';
import { area, speed } from '../shared/words.ts';
import { PathProfileView, type Place } from './path-profile.tsx';
import { hideTowers, showTowers } from './tower-layers.ts';

/** Between these somebody can try a threshold. dBm */
const [weakest, strongest] = [-130, -30];

/** What was modelled, and the thresholds that somebody tries. */
export interface SignalView {
  report: ModellingReport;
  picture: Signal<SignalPicture | undefined>;
  thresholds: Signal<readonly number[]>;
  /** Where somebody has clicked. */
  place: Signal<Place | undefined>;
}

/** The signal of a submission whose coverage the service has modelled, shown on its map while that is wanted. */
export function useSignalView(
  { id, can }: Submission,
  report: ModellingReport | undefined,
  map: Signal<CoverageMap | undefined>,
  isShown: boolean,
): SignalView | undefined {
  const picture = useSignal<SignalPicture | undefined>(undefined);
  const thresholds = useSignal<readonly number[]>(report ? thresholdsOf(report) : []);
  const place = useSignal<Place | undefined>(undefined);
  useEffect(() => {
    if (!report || !isShown) return;
    const left = new AbortController();
    const { place, floor_dbm } = report.picture;
    void loadPicture(`/api/operator/submissions/${id}/signal/picture`, place, floor_dbm, left.signal)
      .then((loaded) => set(picture, loaded))
      .catch((error) => left.signal.aborted || console.warn(error));
    return () => left.abort();
  }, [id, report, isShown]);
  useEffect(() => {
    const { value: shown } = picture;
    const { value: view } = map;
    if (!view || !shown || !isShown) return;
    const draw = () => view.show('signal', signalOverlay(shown, thresholds.value));
    draw();
    const end = onColoursChanged(draw);
    return () => {
      end();
      view.hide('signal');
    };
  }, [map.value, picture.value, thresholds.value, isShown]);
  useEffect(() => {
    const { value: view } = map;
    if (!view || !report || !isShown) return;
    const left = new AbortController();
    void showTowers(view, id, left.signal).catch(() => undefined);
    return () => {
      left.abort();
      hideTowers(view);
    };
  }, [map.value, id, report, isShown]);
  useEffect(() => {
    const { value: view } = map;
    if (!view || !report || !isShown || !can.profile_paths) return;
    const clicked = ({ lngLat: { lat, lng } }: { lngLat: Place }) => {
      view.mark({ lat, lng });
      set(place, { lat, lng });
    };
    view.map.on('click', clicked);
    return () => {
      view.map.off('click', clicked);
      view.mark();
    };
  }, [map.value, report, isShown, can.profile_paths]);
  return report && { report, picture, thresholds, place };
}

const thresholdsOf = ({ speeds }: ModellingReport): number[] => speeds.map(({ dbm }) => dbm as number);

interface SignalLegendProps {
  submission: Submission;
  view: SignalView;
}

/** What the colours of the signal mean, with a slider for each threshold; what they would give is told at once. */
export function SignalLegend({ submission, view }: SignalLegendProps) {
  const { report, picture, thresholds, place } = view;
  const { error, attempt } = useAttempt();
  const km2 = useComputed(() => picture.value && areasByGrey(picture.value));
  const areas = useComputed(() => {
    const { value: byGrey } = km2;
    if (!byGrey || !picture.value) return undefined;
    const classes = classesByGrey(thresholds.value, picture.value.floorDbm);
    return thresholds.value.map((_, index) =>
      byGrey.reduce((sum, one, grey) => sum + (classes[grey] === index ? one : 0), 0),
    );
  });
  const given = thresholdsOf(report);
  const isChanged = thresholds.value.some((dbm, i) => dbm !== given[i]);
  /** The order of the classes stays. */
  const move = (index: number, wanted: number) => {
    const { value } = thresholds;
    const [above = strongest + 1, below = weakest - 1] = [value[index - 1], value[index + 1]];
    const dbm = Math.min(above - 1, Math.max(below + 1, wanted));
    set(
      thresholds,
      value.map((one, i) => (i === index ? dbm : one)),
    );
    return dbm;
  };
  const apply = () =>
    attempt(() => {
      const speeds = report.speeds.map((one, i) => ({ ...one, dbm: thresholds.value[i] as number }));
      return api.post('/api/operator/submissions/{id}/speeds', {
        path: { id: submission.id },
        body: { speeds: speeds as never },
      });
    });
  return (
    <>
      <fieldset class="legend signal-legend">
        <legend>Received signal, and the speed it gives</legend>
        <ul class="bare-list stack close">
          {report.speeds.map((one, i) => {
            const { value } = thresholds;
            const dbm = value[i] as number;
            const words = `${speed(one.bandwidth_max_mbps as number)} down, ${speed(one.bandwidth_up_max_mbps as number)} up`;
            return (
              <li key={given[i]} class="signal-class">
                <Swatch name={colourOf(i, value.length)} />
                <span>{words}</span>
                <input
                  type="range"
                  name={`threshold-${i}`}
                  aria-label={`${words}: from`}
                  aria-valuetext={`${dbm} dBm`}
                  min={weakest}
                  max={strongest}
                  step={1}
                  value={dbm}
                  onInput={({ currentTarget }) => {
                    currentTarget.value = String(move(i, Number(currentTarget.value)));
                  }}
                />
                <span class="nowrap">from {dbm} dBm</span>
                <span class="muted nowrap">{areas.value && area(areas.value[i] as number)}</span>
              </li>
            );
          })}
          <li class="row">
            <Swatch name="unchanged" />
            weaker: no coverage
          </li>
        </ul>
        {isChanged && submission.status === 'ready' && submission.modelling?.state === 'done' && (
          <>
            <p class="hint">
              The map shows what these thresholds would give. Your submission still has the ones before.
            </p>
            <div class="actions">
              <Button kind="primary" onClick={apply}>
                Use these thresholds
              </Button>
              <Button onClick={() => set(thresholds, given)}>Reset</Button>
            </div>
          </>
        )}
        <ErrorNotice error={error.value} />
      </fieldset>
      {submission.can.profile_paths && (
        <PathProfileView submissionId={submission.id} report={report} place={place} />
      )}
    </>
  );
}
