import { signal } from '@preact/signals';
import { api } from '../shared/client.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';

export const maxNoteLength = 500;

/** Edits the operator's note about a submission. @param id of the submission */
export function NoteButton({ id, fileName, note }: { id: string; fileName: string; note: string }) {
  const text = note === '' ? 'Add note' : 'Edit note';
  const edit = () => {
    const value = signal(note);
    return ask(
      {
        title: `Note for ${fileName}`,
        body: (
          <TextField
            label="Note"
            name="note"
            hint="Shown in the version history, to you and to staff. Lookups never show it."
            maxLength={maxNoteLength}
            value={value}
          />
        ),
        confirm: 'Save note',
      },
      () =>
        api.put('/api/operator/submissions/{id}/note', { path: { id }, body: { note: value.value.trim() } }),
    );
  };
  return (
    <Button kind="quiet" label={`${text}: ${fileName}`} onClick={edit}>
      {text}
    </Button>
  );
}
