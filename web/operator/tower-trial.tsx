import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { Submission, TowerTrial } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { NumberField, Select } from '../shared/ui/fields.tsx';
import { ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { area } from '../shared/words.ts';
import type { TowerProperties, TowerSettings, Towers } from './tower-layers.ts';
import { PremisesSentence } from './tried-premises.tsx';

const settings = [
  ['azimuth_deg', 'Azimuth, degrees from north', '°'],
  ['height_m', 'Antenna height, m', ' m'],
  ['power_dbm', 'Power, dBm', ' dBm'],
] as const satisfies [keyof TowerSettings, string, string][];

type Change = TowerTrial['towers'][number];

const pollMs = 1000;

/** A tower's other settings while they are chosen. */
export type TurnedTower = Signal<Change | undefined>;

interface TowerTrialProps {
  submission: Submission;
  towers: Towers;
  turned: TurnedTower;
}

/** Towers that are turned, raised or given more power, to see what premises that would give; the submission stays as it is until they are used. */
export function TowerTrialView({ submission, towers, turned }: TowerTrialProps) {
  const { id, modelling } = submission;
  const all = towers.features.map(({ properties }) => properties);
  const chosen = all.find(({ number }) => number === turned.value?.number) ?? (all[0] as TowerProperties);
  const { error, attempt, refuse } = useAttempt();
  const version = useSignal(modelling?.finished_at);
  version.value = modelling?.finished_at;
  const last = useResource(async () => {
    void version.value;
    return (await api.get('/api/operator/submissions/{id}/towers/trial', { path: { id } })).trial;
  });
  const trial = last.data.value;
  const isWaiting = trial?.state === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(last.refresh, pollMs);
    return () => clearInterval(timer);
  }, [isWaiting]);
  const inUse = modelling?.parameters.towers ?? [];
  const others = inUse.filter(({ number }) => number !== chosen.number);
  const change = { ...inUse.find(({ number }) => number === chosen.number), ...turned.value };
  const isChanged = settings.some(([name]) => (turned.value?.[name] ?? chosen[name]) !== chosen[name]);
  const tryIt = () => {
    if (!isChanged) return refuse('Change its azimuth, height or power first.');
    return attempt(async () => {
      const body = { towers: [...others, { ...change, number: chosen.number }] };
      await api.post('/api/operator/submissions/{id}/towers/trial', { path: { id }, body });
      await last.reload();
    });
  };
  const use = (wanted: readonly Change[]) =>
    attempt(async () => {
      const body = { towers: [...wanted] };
      await api.put('/api/operator/submissions/{id}/towers', { path: { id }, body });
      set(turned, undefined);
    });
  const changed = all.filter(({ listed }) => listed);
  return (
    <details class="wide tower-trial">
      <summary>Try a tower in another way</summary>
      <div class="stack small-gap">
        <Select
          label="Tower"
          name="tried-tower"
          options={all.map((tower) => [String(tower.number), nameOf(tower)] as const)}
          value={asValue(String(chosen.number), (number) => set(turned, { number: Number(number) }))}
        />
        <div class="parameters">
          {settings
            .filter(([name]) => chosen[name] !== null)
            .map(([name, label]) => (
              <NumberField
                key={`${chosen.number} ${name}`}
                label={label}
                name={`tried-${name}`}
                value={asValue<number | undefined>(
                  turned.value?.[name] ?? chosen[name] ?? undefined,
                  (value) =>
                    set(turned, withSetting({ ...turned.value, number: chosen.number }, name, value)),
                )}
              />
            ))}
        </div>
        <div class="actions">
          <Button kind="primary" onClick={tryIt}>
            Try
          </Button>
        </div>
        <ErrorNotice error={error.value ?? last.error.value} />
        <div class="stack tight" aria-live="polite">
          {trial && <Outcome trial={trial} all={all} now={submission.datasets[0]?.area_km2} />}
        </div>
        {trial?.state === 'done' && !isUsed(trial.towers, inUse) && (
          <div class="actions">
            <Button onClick={() => use(trial.towers)}>Use it</Button>
          </div>
        )}
        {changed.map((tower) => (
          <p key={tower.number} class="hint">
            {nameOf(tower)} differs from your list:{' '}
            {differences(tower, tower.listed as TowerSettings, 'in the list')}.{' '}
            <Button kind="quiet" onClick={() => use(inUse.filter(({ number }) => number !== tower.number))}>
              Use the list’s
            </Button>
          </p>
        ))}
      </div>
    </details>
  );
}

interface OutcomeProps {
  trial: TowerTrial;
  all: readonly TowerProperties[];
  /** The ground that the submission covers as it is, in km2. */
  now: number | null | undefined;
}

function Outcome({ trial, all, now }: OutcomeProps) {
  const { state, towers, sites, result, current, reason } = trial;
  const what = towers
    .map((change) => {
      const tower = all.find(({ number }) => number === change.number);
      const differs = tower && differences({ ...tower, ...change }, tower, 'now');
      return differs && `${nameOf(tower)}: ${differs}`;
    })
    .filter(Boolean)
    .join('; ');
  if (state === 'waiting')
    return (
      <p class="hint">
        {what}. {sites ? `Modelling: ${sites.done} of ${sites.total} sites …` : 'Waiting to be modelled …'}
      </p>
    );
  if (reason) return <Notice tone="warning" title={reason.message} text={reason.hint} />;
  if (!result) return null;
  const km2 = result.speeds.reduce((sum, { area_km2 }) => sum + area_km2, 0);
  return (
    <>
      <p>
        {what || 'The towers as they are now'}: {area(km2)} covered
        {now != null && ` (now ${area(now)})`}.
      </p>
      <PremisesSentence tried={result} />
      {!current && (
        <p class="hint">What is published, or the list of addresses, has changed since. Try again.</p>
      )}
    </>
  );
}

/** "azimuth 250° (now 90°)". */
function differences(one: TowerSettings, other: TowerSettings, which: string): string {
  return settings
    .filter(([name]) => one[name] !== other[name])
    .map(
      ([name, label, unit]) =>
        `${label.split(',')[0]?.toLowerCase()} ${one[name]}${unit} (${which} ${other[name]}${unit})`,
    )
    .join(', ');
}

function withSetting(change: Change, name: keyof TowerSettings, value: number | undefined): Change {
  const { [name]: _, ...rest } = change;
  return value === undefined ? rest : { ...rest, [name]: value };
}

const isUsed = (tried: readonly Change[], inUse: readonly Change[]) =>
  JSON.stringify(sorted(tried)) === JSON.stringify(sorted(inUse));
const sorted = (changes: readonly Change[]) =>
  changes
    .map(({ number, azimuth_deg, height_m, power_dbm }) => ({ number, azimuth_deg, height_m, power_dbm }))
    .sort((a, b) => a.number - b.number);

const nameOf = ({ name, number }: TowerProperties) => name ?? `Tower ${number}`;
