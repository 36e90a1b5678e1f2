import { money } from '../shared/billing/words.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { Catalog, SpeedField, SpeedUnit } from '../shared/schemas.ts';
import { NumberField, RadioGroup, Select } from '../shared/ui/fields.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { count } from '../shared/words.ts';
import { AskedFields } from './asked.tsx';
import { ClassEditor } from './class-editor.tsx';
import { catalog } from './context.ts';
import { type Description, fieldName, fieldOfBoth, speedLabels } from './description.ts';
import { SampleValues } from './field-with-texts.tsx';
import { Fold } from './fold.tsx';
import type { QuestionProps } from './form-state.ts';
import { maximums, minimums } from './meaning.ts';
import { MeaningTable } from './meaning-table.tsx';
import { ModelNumbers, ProfileField } from './modelling.tsx';

const units: readonly (readonly [SpeedUnit | '', string])[] = [
  ['', 'As in file'],
  ['mbps', 'Mbps'],
  ['kbps', 'kbps'],
  ['gbps', 'Gbps'],
];

/** A list of towers: its processing and its cost. */
export function TowerNote({ form }: QuestionProps) {
  const { towers } = form.questions.value;
  const prediction = form.answer('prediction');
  const hasNumbers = Object.keys(prediction.value).some((name) => name !== 'profile');
  return (
    <div class="stack" id="towers" tabIndex={-1}>
      <Notice
        tone="info"
        title={`This is a list of ${count(towers, 'tower')}.`}
        text={`We model coverage from these towers, and you see it here before it is published. Fee: ${feeOf(catalog())}, charged on publication.`}
      />
      <ProfileField parameters={prediction} of="towers" />
      <Fold summary="Range, resolution and reliability" isOpen={hasNumbers}>
        <ModelNumbers parameters={prediction} of="towers" />
      </Fold>
      <SpeedGrid
        form={form}
        legend="Default speeds"
        fields={maximums}
        hint="Only where our staff model the coverage by hand, for towers for which the file says none. The service derives speeds from the received signal."
      />
    </div>
  );
}

function feeOf({
  processing_fees: { first_cents: first, later_cents: later, next_cents: next },
}: Catalog): string {
  if (next === null)
    return `${money(first)} + GST for an operator's first, ${money(later)} for each later one`;
  return next === first ? `${money(first)} + GST (later updates ${money(later)})` : `${money(next)} + GST`;
}

/** Optional questions before the file has been inspected. */
export function SpeedsLater({ form }: QuestionProps) {
  return (
    <SpeedGrid
      form={form}
      legend="Speeds"
      fields={maximums}
      hint="Leave these empty if the file holds speeds, or a picture of the signal: it is inspected once it is uploaded, and the form is filled in from it."
    />
  );
}

/** Asks for speeds and their source. */
export function SpeedQuestions({ form }: QuestionProps) {
  const { attributes, textFields, pixels, needsClasses, initialTable } = form.questions.value;
  const { speedsBy, tiers, sieve } = form.description.value;
  const hasPixels = pixels.length > 0 || needsClasses;
  const ways: (readonly [Description['speedsBy'], string])[] = [
    ...(needsClasses
      ? []
      : [['attributes', attributes.length > 0 ? 'From attributes, or fixed' : 'Fixed value'] as const]),
    ...(textFields.length > 0 || speedsBy === 'tiers' ? [['tiers', 'By category field'] as const] : []),
    ...(hasPixels || speedsBy === 'classes' ? [['classes', 'By raster class'] as const] : []),
  ];
  const way = asValue(speedsBy, (way) => {
    if (way === 'tiers' && !tiers) form.chooseTiers(textFields[0] ?? '');
    form.change({ speedsBy: way });
  });
  return (
    <div class="stack">
      {ways.length > 1 && <RadioGroup legend="Speed source" name="speedsBy" options={ways} value={way} />}
      {speedsBy === 'attributes' ? (
        <AttributeSpeeds form={form} />
      ) : speedsBy === 'tiers' ? (
        <TierSpeeds form={form} />
      ) : (
        <ClassEditor
          table={form.answer('table')}
          summaries={pixels}
          initial={initialTable}
          earlier={form.earlier.value}
          problems={form.problems.value}
        />
      )}
      {/* Rasters of noise hold more areas than can be read: small ones are merged where somebody wants it. */}
      {(hasPixels || sieve !== undefined) && (
        <NumberField
          {...form.field('sieve')}
          label="Merge areas smaller than … pixels (optional)"
          inputMode="numeric"
          class="short"
          hint="Smaller areas take the class around them. Leave this empty to keep every pixel as it is."
        />
      )}
    </div>
  );
}

function AttributeSpeeds({ form }: QuestionProps) {
  const { speeds, attributes } = form.description.value;
  const hasMinimums = minimums.some(
    (name) => attributes[name] || speeds[name] !== undefined || form.problems.value[name] !== undefined,
  );
  return (
    <div class="stack">
      <SpeedGrid form={form} legend="Speeds" fields={maximums} />
      <AskedFields form={form} about="speeds" focus={() => 'bandwidth_max_mbps-from'} />
      <Fold summary="Minimum speeds (optional)" isOpen={hasMinimums}>
        <SpeedGrid form={form} legend="Minimum speeds" fields={minimums} isQuiet />
      </Fold>
    </div>
  );
}

type SpeedGridProps = QuestionProps & {
  legend: string;
  fields: readonly SpeedField[];
  hint?: string;
  /** The legend is for screen readers only. */
  isQuiet?: boolean;
};

function SpeedGrid({ form, legend, fields, hint, isQuiet }: SpeedGridProps) {
  return (
    <fieldset class="stack small-gap">
      <legend class={isQuiet ? 'visually-hidden' : undefined}>{legend}</legend>
      {hint && <p class="hint">{hint}</p>}
      {fields.map((name) => (
        <SpeedRow key={name} form={form} name={name} />
      ))}
    </fieldset>
  );
}

function SpeedRow({ form, name }: QuestionProps & { name: SpeedField }) {
  const { attributes, isTowers } = form.questions.value;
  const attribute = form.part('attributes', name);
  const label = speedLabels[name];
  const hasFields = attributes.length > 0 && !isTowers;
  const field = fieldName(attribute.value);
  const unit = typeof attribute.value === 'object' ? attribute.value?.unit : undefined;
  const both = name === 'bandwidth_up_max_mbps' && fieldOfBoth(form.description.value, form.questions.value);
  const speed = form.part('speeds', name);
  const from = asValue(field, (chosen) => {
    attribute.value = chosen ? { field: chosen } : null;
    speed.value = undefined;
  });
  const unitOf = asValue<SpeedUnit | ''>(unit ?? '', (chosen) =>
    set(attribute, { field, ...(chosen ? { unit: chosen } : {}) }),
  );
  return (
    <div class={hasFields ? 'speed-row' : 'speed-row single'}>
      {hasFields && (
        <Select
          label={label}
          name={`${name}-from`}
          options={[
            ['', both ? `With the download, in ${both}` : 'Fixed value'],
            ...attributes.map((one) => [one, `Field: ${one}`] as const),
          ]}
          value={from}
        />
      )}
      {field ? (
        <Select label="Unit" name={`${name}-unit`} options={units} value={unitOf} />
      ) : both ? null : (
        <NumberField
          label={hasFields ? 'Mbps' : `${label}, in Mbps`}
          name={name}
          aria-label={hasFields ? `${label}, in Mbps` : undefined}
          error={form.problems.value[name]}
          value={speed}
        />
      )}
      <SampleValues form={form} field={field || both || ''} />
    </div>
  );
}

function TierSpeeds({ form }: QuestionProps) {
  const { field, values } = form.description.value.tiers ?? { field: '', values: {} };
  return (
    <div class="stack">
      <Select
        label="Category field"
        name="tiers"
        options={form.questions.value.textFields.map((one) => [one, one] as const)}
        value={asValue(field, (chosen) => form.chooseTiers(chosen))}
      />
      <fieldset class="stack small-gap classes">
        <legend>Speeds per category</legend>
        <MeaningTable
          heading="Category"
          rows={Object.entries(values).map(([text, meaning]) => ({
            words: text || '(empty)',
            what: <strong class="break">{text || '(empty)'}</strong>,
            meaning: asValue(meaning, (changed) =>
              form.change({ tiers: { field, values: { ...values, [text]: changed } } }),
            ),
          }))}
          problems={form.problems.value}
        />
      </fieldset>
    </div>
  );
}
