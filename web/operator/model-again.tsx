import { type Signal, useSignal } from '@preact/signals';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { ModellingParameters, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { NumberField, Select } from '../shared/ui/fields.tsx';
import { ErrorNotice } from '../shared/ui/notice.tsx';
import { useAttempt } from '../shared/use-attempt.ts';

type Profile = NonNullable<ModellingParameters['profile']>;

/** The receiver, and speeds by received power, that come with the service. */
export const profiles: [Profile, string][] = [
  ['fixed-wireless', 'LTE and 5G fixed wireless'],
  ['point-to-multipoint', 'Point-to-multipoint, 5 GHz'],
];
/** The numbers among the parameters, and what is taken where a field stays empty. */
const numbers = [
  ['range_km', 'Range from a tower, km', '30'],
  ['resolution_m', 'Resolution, m', 'auto, at least 30'],
  ['receiver_height_m', 'Receiver height, m', 'from the profile'],
  ['receiver_gain_dbi', 'Receiver antenna gain, dBi', 'from the profile'],
  ['time_percent', 'Time reliability, %', '90'],
  ['location_percent', 'Location reliability, %', '50'],
  ['situation_percent', 'Situation confidence, %', '50'],
] as const;

/** For staff: has the service model coverage from the towers of a submission, with other parameters. */
export function ModelAgain({ submission: { id, provider, modelling } }: { submission: Submission }) {
  const wanted = useSignal<ModellingParameters>(modelling?.parameters ?? {});
  const { error, attempt } = useAttempt();
  const model = () =>
    attempt(async () => {
      const body = { parameters: wanted.value };
      await api.post('/api/staff/tower-work/{id}/predict', { path: { id }, body });
      announce(`The service models the towers of ${provider.name}.`);
    });
  return (
    <div class="stack small-gap">
      <Select
        label="Receiver, and speeds by received power"
        name={`profile-${id}`}
        options={profiles}
        value={asValue<Profile>(
          () => wanted.value.profile ?? 'fixed-wireless',
          // Speeds of another profile’s thresholds would not fit it.
          (profile) => change(wanted, { profile, speeds: undefined }),
        )}
      />
      <div class="parameters">
        {numbers.map(([name, label, otherwise]) => (
          <NumberField
            key={name}
            label={label}
            name={`${name}-${id}`}
            placeholder={otherwise}
            value={asValue<number | undefined>(
              () => wanted.value[name],
              (value) => change(wanted, { [name]: value }),
            )}
          />
        ))}
      </div>
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button onClick={model}>Model with the service</Button>
      </div>
    </div>
  );
}

function change(
  parameters: Signal<ModellingParameters>,
  changed: { [Name in keyof ModellingParameters]: ModellingParameters[Name] | undefined },
): void {
  const all = Object.entries({ ...parameters.value, ...changed });
  set(parameters, Object.fromEntries(all.filter(([, value]) => value !== undefined)));
}
