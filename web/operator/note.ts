import { request } from '../shared/api.ts';
import { ask } from '../shared/dialog.ts';
import { field, textInput } from '../shared/fields.ts';
import type { Submission } from '../shared/types.ts';

export const maxNoteLength = 500;

/** Asks for the operator's own words about a submission, and keeps them. @returns whether it was done */
export function editNote({ id, file, note }: Pick<Submission, 'id' | 'file' | 'note'>): Promise<boolean> {
  let text = note;
  const input = textInput(
    'note',
    note,
    (value) => {
      text = value;
    },
    { maxlength: maxNoteLength, autocomplete: 'off' },
  );
  return ask(
    {
      title: `Note for ${file.name}`,
      body: [
        field('Note', input, {
          hint: 'Shown in the list of versions, to you and to staff. Lookups never show it.',
        }),
      ],
      confirm: 'Save note',
    },
    () => request('PUT', `/api/operator/submissions/${encodeURIComponent(id)}/note`, { note: text.trim() }),
  );
}
