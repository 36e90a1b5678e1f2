import { asValue, set, type Value } from '../shared/field-value.ts';
import type { ModellingParameters } from '../shared/schemas.ts';
import { NumberField, Select } from '../shared/ui/fields.tsx';

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

interface ModellingFieldsProps {
  parameters: Value<ModellingParameters>;
  /** Distinguishes these fields from others of the page. */
  of: string;
}

/** What the service models coverage with. */
export function ProfileField({ parameters, of }: ModellingFieldsProps) {
  return (
    <Select
      label="Receiver, and speeds by received power"
      name={`profile-${of}`}
      options={profiles}
      value={asValue<Profile>(
        () => parameters.value.profile ?? 'fixed-wireless',
        // Speeds of another profile’s thresholds would not fit it.
        (profile) => change(parameters, { profile, speeds: undefined }),
      )}
    />
  );
}

export function ModelNumbers({ parameters, of }: ModellingFieldsProps) {
  return (
    <div class="parameters">
      {numbers.map(([name, label, otherwise]) => (
        <NumberField
          key={name}
          label={label}
          name={`${name}-${of}`}
          placeholder={otherwise}
          value={asValue<number | undefined>(
            () => parameters.value[name],
            (value) => change(parameters, { [name]: value }),
          )}
        />
      ))}
    </div>
  );
}

function change(
  parameters: Value<ModellingParameters>,
  changed: { [Name in keyof ModellingParameters]: ModellingParameters[Name] | undefined },
): void {
  const all = Object.entries({ ...parameters.value, ...changed });
  set(parameters, Object.fromEntries(all.filter(([, value]) => value !== undefined)));
}
