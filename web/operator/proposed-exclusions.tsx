import { type Signal, signal } from '@preact/signals';
import { CovermapApiError } from '../../client/client.ts';
import { api } from '../shared/client.ts';
import type { ProposedExclusion, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Checkbox, TextField } from '../shared/ui/fields.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { area, number } from '../shared/words.ts';
import { isUnderWork } from './status.tsx';

/** Names in the sentence. */
const maxNamed = 3;

/** The areas of a file that say "no coverage" over others, to make exclusions of; nothing where there are none. */
export function ProposedExclusions({ submission }: { submission: Submission }) {
  const { id, report } = submission;
  const isWarned = report?.warnings.some(({ code }) => code === 'no_coverage_over_coverage');
  return isWarned && !isUnderWork(submission) ? <Proposed key={id} id={id} /> : null;
}

function Proposed({ id }: { id: string }) {
  const path = { id };
  const found = useResource(
    () => api.get('/api/operator/submissions/{id}/proposed-exclusions', { path }),
    'anywhere',
  );
  const proposed = found.data.value?.proposed ?? [];
  if (proposed.length === 0) return null;
  const exclude = () => {
    const chosen = proposed.map((one) => ({ one, isChosen: signal(true) }));
    const reason = signal('');
    const accept = async () => {
      const ids = chosen.filter(({ isChosen }) => isChosen.value).map(({ one }) => one.id);
      if (ids.length === 0)
        throw new CovermapApiError(0, { code: 'none_chosen', message: 'Choose at least one area.' });
      const body = { ids, ...(reason.value.trim() && { reason: reason.value }) };
      const send = (more: object = {}) =>
        api.post('/api/operator/submissions/{id}/proposed-exclusions', { path, body: { ...body, ...more } });
      await send().catch(async (caught) => {
        if (caught.code !== 'exclusion_takes_most') throw caught;
        const question = { title: 'Exclude most of it?', body: caught.message, confirm: 'Exclude it all' };
        await ask(question, () => send({ confirmed: true }));
      });
    };
    const question = {
      title: 'Exclude these areas?',
      body: <Choice chosen={chosen} reason={reason} />,
      confirm: 'Exclude areas',
    };
    return ask(question, accept).then(found.refresh);
  };
  return (
    <Notice
      tone="warning"
      title={sentence(proposed)}
      text="They take nothing away unless you exclude them: then this file is checked again without them, and later files lose them, too."
    >
      <Button onClick={exclude}>Exclude them …</Button>
      <a href="#/exclusions">All exclusions</a>
    </Notice>
  );
}

interface ChoiceProps {
  chosen: readonly { one: ProposedExclusion; isChosen: Signal<boolean> }[];
  reason: Signal<string>;
}

function Choice({ chosen, reason }: ChoiceProps) {
  return (
    <>
      {chosen.map(({ one, isChosen }) => (
        <Checkbox key={one.id} name={`area-${one.id}`} value={isChosen}>
          {nameOf(one)}, {area(one.km2)}
          {one.takes_km2 !== null && `: takes ${area(one.takes_km2)}`}
        </Checkbox>
      ))}
      <TextField
        label="Reason (optional)"
        name="reason"
        hint="Without one, the name of each area. Whoever asks why an answer is as it is sees it."
        maxLength={300}
        value={reason}
      />
    </>
  );
}

const nameOf = ({ name, feature, layer }: ProposedExclusion) =>
  name ?? `Feature ${number(feature)} of ${layer}`;

/** "2 areas of the file say that there is no coverage where others say there is: Behind the hill (28 km²), Licence edge (70 km²)." */
function sentence(proposed: readonly ProposedExclusion[]): string {
  const says =
    proposed.length === 1 ? '1 area of the file says' : `${number(proposed.length)} areas of the file say`;
  const names = proposed.slice(0, maxNamed).map((one) => `${nameOf(one)} (${area(one.km2)})`);
  const more = proposed.length - names.length;
  return `${says} that there is no coverage where others say there is: ${names.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}.`;
}
