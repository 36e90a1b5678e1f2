import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { asValue, set, type Value } from '../shared/field-value.ts';
import type { ModellingParameters, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { NumberField, Select, TextArea } from '../shared/ui/fields.tsx';
import { ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { isStaff } from './context.ts';

/* Coverage from towers, modelled by the service, or by staff who upload it. */

type Profile = NonNullable<ModellingParameters['profile']>;

/** Built-in profiles: a receiver, and speeds by received power. */
export const profiles: [Profile, string][] = [
  ['fixed-wireless', 'LTE and 5G fixed wireless'],
  ['point-to-multipoint', 'Point-to-multipoint, 5 GHz'],
];
/** Numeric parameters, with the defaults of empty fields. */
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

/** The receiver that the service models coverage for. */
export function ProfileField({ parameters, of }: ModellingFieldsProps) {
  return (
    <Select
      label="Receiver, and speeds by received power"
      name={`profile-${of}`}
      options={profiles}
      value={asValue<Profile>(
        parameters.value.profile ?? 'fixed-wireless',
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
          value={asValue<number | undefined>(parameters.value[name], (value) =>
            change(parameters, { [name]: value }),
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

/** For staff: models coverage again from a submission's towers, with other parameters. */
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
      <ProfileField parameters={wanted} of={id} />
      <ModelNumbers parameters={wanted} of={id} />
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button onClick={model}>Model with the service</Button>
      </div>
    </div>
  );
}

type PredictionFormProps = { submission: Submission; children?: ComponentChildren };

/** For staff: uploads coverage modelled from a submission's towers. */
export function PredictionForm({ submission: { id, provider }, children }: PredictionFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const manifest = useSignal('');
  const { error, attempt, refuse } = useAttempt();
  const upload = async () => {
    const file = input.current?.files?.[0];
    if (!file) return refuse('Choose the file with the prediction first.');
    const body = new FormData();
    if (manifest.value.trim()) body.append('manifest', manifest.value);
    body.append('file', file);
    await attempt(async () => {
      await api.post('/api/staff/tower-work/{id}/prediction', { path: { id }, body });
      announce(`The prediction for ${provider.name} is uploaded.`);
      // The form stays until the page has reloaded: a second press must not send the file again.
      if (input.current) input.current.value = '';
    });
  };
  return (
    <div class="stack small-gap">
      <div class="field">
        <label for={`prediction-${id}`}>Coverage modelled from these towers</label>
        <input type="file" id={`prediction-${id}`} ref={input} />
      </div>
      <details>
        <summary>Advanced: manifest JSON</summary>
        <TextArea
          label="Speeds, classes or fields of this file"
          name={`manifest-${id}`}
          hint={'For example {"classes": [{"min": -90, "speeds": {"bandwidth_max_mbps": 50}}]}'}
          rows={3}
          spellcheck={false}
          value={manifest}
        />
      </details>
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button kind="primary" onClick={upload}>
          Upload prediction
        </Button>
        {children}
      </div>
    </div>
  );
}

/** The reason why staff have to model coverage. Staff read what they can do; operators need not act. */
export function ModellingDeclined({ submission: { modelling } }: { submission: Submission }) {
  if (!modelling?.reason) return null;
  const { message, hint } = modelling.reason;
  return isStaff() ? (
    <Notice tone="warning" title={`Not modelled automatically: ${message}`} text={hint} />
  ) : (
    <Notice
      tone="info"
      title="Our staff will model it."
      text={`It could not be modelled automatically: ${message} You need not do anything. If something in your file is wrong, withdraw it and upload a corrected file.`}
    />
  );
}
