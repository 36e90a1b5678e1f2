import { api } from '../shared/client.ts';
import { Badge } from '../shared/ui/notice.tsx';
import { Card } from '../shared/ui/view.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';
import { daysWords, targetWords } from './stop-words.ts';

/** The interval of looking for stops that are made meanwhile. */
const refreshMs = 2_000;

/** What of a submission takes no new connections; nothing where all of it does. */
export function SubmissionStops({ id }: { id: string }) {
  const found = useResource(
    () => api.get('/api/operator/submissions/{id}/stops', { path: { id } }),
    'anywhere',
    refreshMs,
  );
  const { stops = [], premises } = found.data.value ?? {};
  if (stops.length === 0) return null;
  return (
    <Card title="Closed to new connections">
      {premises === null && <p>Counting the premises …</p>}
      {premises && (
        <p>
          <strong>{number(premises.not_orderable)}</strong> of{' '}
          {count(premises.covered, 'covered premises', 'covered premises')} cannot be ordered today.
        </p>
      )}
      <ul class="divided">
        {stops.map((stop) => (
          <li key={stop.id}>
            <div class="row">
              <span class="break">{targetWords(stop)}</span>
              {stop.state === 'coming' && <Badge>Coming</Badge>}
            </div>
            <p class="muted small">{daysWords(stop)}</p>
          </li>
        ))}
      </ul>
      <p class="small">
        <a href="#/stops">Change stops</a>
      </p>
    </Card>
  );
}
