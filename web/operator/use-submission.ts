import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api, unreachable } from '../shared/client.ts';
import type { Submission } from '../shared/schemas.ts';
import { useInterval } from '../shared/use-interval.ts';
import { useResource } from '../shared/use-resource.tsx';
import { statusText } from './status.tsx';

/** The interval of polling while the change is calculated, and where the stream of events does not work, such as behind some proxies. */
const pollMs = 1500;
/** The failures of the stream in a row before polling begins. */
const maxFailures = 3;

/** A submission with its report, kept up to date while it is processed; changes are announced to screen readers. */
export function useSubmission(id: string) {
  const { data, error, refresh } = useResource(
    () => api.get('/api/operator/submissions/{id}', { path: { id } }),
    // Changes of a finished submission are not in its stream of events.
    'anywhere',
  );
  const news = useSignal<Submission | undefined>(undefined);
  const stream = useSignal<'open' | 'lost' | 'blocked'>('open');
  const submission = useComputed(() =>
    data.value && news.value && news.value.revision > data.value.revision
      ? withNews(data.value, news.value)
      : data.value,
  );
  const isUnfinished = useComputed(() => submission.value?.finished === false);
  const isBlocked = stream.value === 'blocked';
  useSignalEffect(() => {
    if (!isUnfinished.value) return;
    const source = new EventSource(`/api/operator/submissions/${encodeURIComponent(id)}/events`);
    let failures = 0;
    source.onopen = () => {
      failures = 0;
      stream.value = 'open';
      if (error.peek()) void refresh();
    };
    source.onerror = () => {
      failures += 1;
      // The browser reconnects by itself, unless the answer was no stream of events.
      const isOver = source.readyState === EventSource.CLOSED || failures >= maxFailures;
      stream.value = isOver ? 'blocked' : 'lost';
      if (!isOver) return;
      source.close();
      void refresh();
    };
    source.addEventListener('submission', (event) => {
      const now: Submission = JSON.parse(event.data);
      news.value = now;
      if (now.finished || now.status === 'ready') void refresh();
    });
    source.addEventListener('end', () => source.close());
    return () => {
      source.close();
      stream.value = 'open';
    };
  });
  useInterval(refresh, pollMs, isBlocked || submission.value?.comparing === true);
  const announced = useRef<string>(undefined);
  useSignalEffect(() => {
    const now = submission.value;
    if (!now) return;
    const text = `${now.file.name}: ${statusText(now)}`;
    if (announced.current !== undefined && announced.current !== text) announce(text);
    announced.current = text;
  });
  const isConnected = isBlocked ? error.value?.code !== unreachable : stream.value === 'open';
  return { submission, error, isConnected, reload: refresh };
}

/** Events lack the report, the manifest, and the report of modelling. */
function withNews(data: Submission, news: Submission): Submission {
  const { modelling } = news;
  return { ...data, ...news, modelling: modelling && { ...data.modelling, ...modelling } };
}
