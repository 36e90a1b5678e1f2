import { focusWhenDrawn } from '../shared/focus.ts';
import { type AttributeQuestion, speedFields } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { isOpen } from './description.ts';
import type { FormState, QuestionProps } from './form-state.ts';

/* Fields of the file that nothing uses, and that may say something: each is asked about at the question that it may answer. */

const subjects: Record<AttributeQuestion['about'], string> = {
  technology: 'the technology',
  availability: 'the availability',
  planned_date: 'when the coverage is ready',
  speeds: 'speeds',
};

/** The open questions about fields. @param focus names the control that gets the focus after an answer */
export function AskedFields({
  form,
  about,
  focus,
}: QuestionProps & Pick<AttributeQuestion, 'about'> & { focus(): string }) {
  const { asked } = form.questions.value;
  const open = asked.filter((one) => one.about === about && isOpen(one, form.description.value));
  return (
    <>
      {open.map(({ attribute, values }) => {
        const answer = (act: () => void) => () => {
          act();
          focusWhenDrawn(focus());
        };
        return (
          <Notice
            key={attribute}
            tone="warning"
            title={`${attribute === null ? 'The name of a layer' : `The field ${attribute}`} says ${quoted(values)}.`}
            text={`Is that ${subjects[about]}? It is not used so far, and the file waits for an answer before it is published.`}
          >
            {attribute !== null && about !== 'speeds' && (
              <Button onClick={answer(() => use(form, about, attribute))}>Yes, use {attribute}</Button>
            )}
            <Button
              label={`No: ${attribute ?? 'the name of the layer'}`}
              onClick={answer(() => refuse(form, about))}
            >
              No
            </Button>
          </Notice>
        );
      })}
    </>
  );
}

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(', ');

function use(form: FormState, about: Exclude<AttributeQuestion['about'], 'speeds'>, field: string): void {
  const { availability, attributes } = form.description.value;
  // Coverage that is there has no planned date.
  const isPlanned = about === 'planned_date' && availability === 'available' && !attributes.availability;
  form.map({ [about]: { field } }, isPlanned ? { availability: 'planned' } : {});
}

function refuse(form: FormState, about: AttributeQuestion['about']): void {
  const { attributes } = form.description.value;
  const free = about === 'speeds' ? speedFields.filter((name) => attributes[name] === undefined) : [about];
  form.map(Object.fromEntries(free.map((name) => [name, null])));
}
