import { asValue, set } from '../shared/field-value.ts';
import { Select } from '../shared/ui/fields.tsx';
import { fieldName, meaningsOf, type TextSubject, textControl } from './description.ts';
import type { QuestionProps } from './form-state.ts';

type FieldWithTextsProps = QuestionProps & {
  about: TextSubject;
  label: string;
  meanings: readonly (readonly [string, string])[];
};

/** Asks which field of the file has a value for each feature, and what its texts mean. */
export function FieldWithTexts({ form, about, label, meanings }: FieldWithTextsProps) {
  const { attributes } = form.questions.value;
  const attribute = form.part('attributes', about);
  const field = fieldName(attribute.value);
  const rows = meaningsOf(form.description.value, form.questions.value, about);
  const say = (text: string, meaning: string) => {
    const values = Object.fromEntries(
      [...rows, { text, meaning }].flatMap((one) =>
        one.meaning ? [[one.text, one.meaning === 'none' ? null : one.meaning]] : [],
      ),
    );
    set(attribute, { field, values } as typeof attribute.value);
  };
  return (
    <>
      <Select
        label={label}
        name={`${about}-from`}
        error={form.problems.value[`${about}-from`]}
        options={[
          ...(field === '' ? [['', 'Choose …'] as const] : []),
          ...attributes.map((one) => [one, one] as const),
        ]}
        value={asValue(field, (chosen) => set(attribute, { field: chosen }))}
      />
      {rows.length > 0 ? (
        <fieldset class="stack tight">
          <legend>What its texts mean</legend>
          <div class="choices texts">
            {rows.map(({ text, meaning }, i) => (
              <Select
                key={text}
                label={text}
                name={textControl(about, i)}
                error={form.problems.value[textControl(about, i)]}
                options={[
                  ...(meaning === undefined ? [['', 'Choose …'] as const] : []),
                  ...meanings,
                  ['none', 'No coverage'],
                ]}
                value={asValue(meaning ?? '', (chosen) => say(text, chosen))}
              />
            ))}
          </div>
        </fieldset>
      ) : (
        field !== '' && <SampleValues form={form} field={field} />
      )}
    </>
  );
}

export function SampleValues({ form, field }: QuestionProps & { field: string }) {
  const samples = (form.questions.value.examples[field] ?? []).slice(0, 4).join(', ');
  return samples ? <p class="hint span">Sample values: {samples}</p> : null;
}
