import { focusWhenDrawn } from '../shared/focus.ts';
import type { AttributeQuestion } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { isNamed, isOpen } from './description.ts';
import type { FormState, QuestionProps } from './form-state.ts';

/* Unused fields of the file that may answer a question of the form: each is asked about beside that question. */

const subjects: Record<AttributeQuestion['about'], string> = {
  technology: 'the technology',
  availability: 'the availability',
  planned_date: 'when the coverage is ready',
  speeds: 'speeds',
};

type AskedProps = QuestionProps &
  Pick<AttributeQuestion, 'about'> & {
    /** Names the control that gets the focus after an answer. */
    focus(): string;
  };

/** The open questions about fields, and the ignored fields. */
export function AskedFields({ form, about, focus }: AskedProps) {
  const { ignore } = form.description.value;
  const asked = form.questions.value.asked.filter((one) => one.about === about);
  const open = asked.filter((one) => isOpen(one, form.description.value));
  const ignored = asked.flatMap(({ attribute }) =>
    attribute !== null && isNamed(ignore, attribute) ? [attribute] : [],
  );
  const answer = (act: () => void) => () => {
    act();
    focusWhenDrawn(focus());
  };
  return (
    <>
      {open.map((question) => (
        <AskedField key={question.attribute} {...{ form, question, answer }} />
      ))}
      {ignored.map((attribute) => (
        <p class="hint" key={attribute}>
          The field {attribute} is not used.{' '}
          <Button kind="quiet" onClick={() => ask(form, attribute)}>
            Ask about {attribute}
          </Button>
        </p>
      ))}
    </>
  );
}

interface AskedFieldProps extends QuestionProps {
  question: AttributeQuestion;
  /** The action of a button that gives an answer. */
  answer(act: () => void): () => void;
}

function AskedField({ form, question, answer }: AskedFieldProps) {
  const { about, attribute, values, numbers } = question;
  const waits = 'and the file waits for an answer before it is published.';
  const no = numbers ? 'No, they are Mbps' : 'No';
  const refusal = (
    <Button
      label={`${no}: ${attribute ?? 'the name of the layer'}`}
      onClick={answer(() => refuse(form, question))}
    >
      {no}
    </Button>
  );
  if (numbers && attribute !== null) {
    const pairs = numbers.values.map((number, i) => `${number} for “${values[i]}”`);
    return (
      <Notice
        tone="warning"
        title={`The field ${numbers.attribute} may hold codes: ${pairs.join(', ')} in ${attribute}.`}
        text={`Are they codes? They are taken for speeds in Mbps so far, ${waits}`}
      >
        <Button onClick={answer(() => speedsFrom(form, attribute))}>Yes, {attribute} says the speeds</Button>
        {refusal}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title={`${attribute === null ? 'The name of a layer' : `The field ${attribute}`} says ${quoted(values)}.`}
      text={`Is that ${subjects[about]}? It is not used so far, ${waits}`}
    >
      {attribute !== null && about !== 'speeds' && (
        <Button onClick={answer(() => use(form, about, attribute))}>Yes, use {attribute}</Button>
      )}
      {refusal}
    </Notice>
  );
}

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(', ');

function use(form: FormState, about: Exclude<AttributeQuestion['about'], 'speeds'>, field: string): void {
  const { availability, attributes } = form.description.value;
  // Available coverage has no planned date.
  const isPlanned = about === 'planned_date' && availability === 'available' && !attributes.availability;
  form.map({ [about]: { field } }, isPlanned ? { availability: 'planned' } : {});
}

function speedsFrom(form: FormState, field: string): void {
  form.chooseTiers(field);
  form.change({ speedsBy: 'tiers' });
}

/** Answers that a field, or the name of a layer, is not about a subject. */
function refuse(form: FormState, { about, attribute }: AttributeQuestion): void {
  if (attribute === null) form.map({ [about]: null });
  else form.change({ ignore: [...form.description.value.ignore, attribute] });
}

/** Asks again about a field that is ignored. */
function ask(form: FormState, field: string): void {
  form.change({ ignore: form.description.value.ignore.filter((one) => !isNamed([one], field)) });
}
