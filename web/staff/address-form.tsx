import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../shared/address.ts';
import { fieldOf, isIn } from '../shared/field-value.ts';
import type { AddressImport, AddressImportOptions } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { DropZone } from '../shared/ui/drop-zone.tsx';
import { Checkbox, RadioGroup, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { Progress } from '../shared/ui/progress.tsx';
import { sendForm } from './send-form.ts';

type Accepted = NonNullable<AddressImportOptions['accept']>[number];

/** What is accepted though it looks wrong; the errors that ask for it name it in these words. */
export const acceptable: [Accepted, string][] = [
  ['gone', 'The file may lack many of the known addresses, which are then removed'],
  ['dropped', 'Many of its rows may be left out'],
  ['mismatch', 'Its changes may not fit the list'],
];

const contents = [
  ['addresses', 'Addresses', 'A whole list, or a changeset of LINZ, which has a column __change__.'],
  ['aliases', 'IDs of another system', 'They can then be asked for as system:id.'],
  ['postcodes', 'Postcodes', 'Of addresses that are in the list.'],
] as const;

/** The upload of a file of addresses. */
export function AddressForm({ limitBytes }: { limitBytes: number }) {
  const choices = useSignal({ content: 'addresses', system: '', columns: '', isRehearsal: false });
  const accept = useSignal<readonly Accepted[]>([]);
  const sending = useSignal<{ name: string; share: number } | undefined>(undefined);
  const { error, attempt } = useAttempt();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const { content, system, columns, isRehearsal } = choices.value;

  const send = (file: File) =>
    attempt(async () => {
      const form = new FormData();
      // The server checks them before it stores the file.
      const fields = {
        ...(content === 'aliases' && { system: system.trim() }),
        ...(content === 'postcodes' && { postcodes: 'true' }),
        ...(columns.trim() && { columns: JSON.stringify(columnsOf(columns)) }),
        ...(accept.value.length > 0 && { accept: accept.value.join() }),
        ...(isRehearsal && { dry_run: 'true' }),
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', file);
      controller.current = new AbortController();
      sending.value = { name: file.name, share: 0 };
      try {
        const show = (share: number) => {
          sending.value = { name: file.name, share };
        };
        const path = '/api/staff/address-imports';
        const { signal } = controller.current;
        go(`/addresses/${(await sendForm<AddressImport>(path, form, show, signal)).id}`);
      } catch (caught) {
        if (!controller.current.signal.aborted) throw caught;
      } finally {
        sending.value = undefined;
      }
    });

  if (sending.value)
    return (
      <>
        <Progress label={`Sending ${sending.value.name}`} percent={100 * sending.value.share} />
        <div class="actions">
          <Button onClick={() => controller.current?.abort()}>Stop</Button>
        </div>
      </>
    );
  return (
    <>
      <RadioGroup
        legend="What the file has"
        name="content"
        options={contents}
        value={fieldOf(choices, 'content')}
      />
      {content === 'aliases' && (
        <TextField
          label="Name of the other system"
          name="system"
          hint="In small letters, such as tlc."
          value={fieldOf(choices, 'system')}
        />
      )}
      <details>
        <summary>More options</summary>
        <div class="stack">
          <TextArea
            label="Names of columns, where they are not those of LINZ"
            name="columns"
            rows={3}
            hint="A line each, such as “road = street name”. There are id, label (the number), road, suburb, town, authority, postcode, lat and lng or wkt, and alias."
            value={fieldOf(choices, 'columns')}
          />
          <fieldset class="stack tight">
            <legend>Accept what looks wrong</legend>
            {acceptable.map(([what, label]) => (
              <Checkbox key={what} name={`accept-${what}`} value={isIn(accept, what)}>
                {label}
              </Checkbox>
            ))}
          </fieldset>
          <Checkbox name="rehearsal" value={fieldOf(choices, 'isRehearsal')}>
            Rehearse: change nothing, and report what the file would change
          </Checkbox>
        </div>
      </details>
      <ErrorNotice error={error.value} />
      <DropZone
        title="Drop the file here, or"
        accept=".csv,.zip,.gpkg"
        hint="CSV, GeoPackage or shapefile, as it is or zipped."
        limitBytes={limitBytes}
        tooLarge="Zip it, or import it by the command: npm run addresses:import."
        several="Put the parts of a shapefile into one zip file and drop that."
        onChoose={send}
      />
    </>
  );
}

/** Lines such as `road = street name`, as an object. */
const columnsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [role = '', ...name] = line.split('=');
        return [role.trim(), name.join('=').trim()];
      }),
  );
