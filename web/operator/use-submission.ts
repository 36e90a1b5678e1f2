import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import type { Submission } from '../shared/schemas.ts';
import { useInterval } from '../shared/use-interval.ts';
import { useResource } from '../shared/use-resource.tsx';
import { follow } from './follow.ts';
import { statusText } from './status.tsx';

/** How often it is asked for what would change, while that is calculated anew. */
const compareMs = 1500;

/** A submission with its report, followed while there is work on it; what changes is said to those who listen, too. */
export function useSubmission(id: string) {
  const { data, error, refresh } = useResource(
    () => api.get('/api/operator/submissions/{id}', { path: { id } }),
    // Published, withdrawn or superseded: news of a finished submission do not come by themselves.
    'anywhere',
  );
  const news = useSignal<Submission | undefined>(undefined);
  const isConnected = useSignal(true);
  const submission = useComputed(() =>
    data.value && news.value && news.value.revision > data.value.revision
      ? withNews(data.value, news.value)
      : data.value,
  );
  const isUnfinished = useComputed(() => submission.value?.finished === false);
  useSignalEffect(() => {
    if (!isUnfinished.value) return;
    const end = follow(id, {
      changed(now) {
        news.value = now;
        if (now.finished || now.status === 'ready') void refresh();
      },
      connected(isIt) {
        isConnected.value = isIt;
        if (isIt && error.peek()) void refresh();
      },
      refused: refresh,
    });
    return () => {
      end();
      isConnected.value = true;
    };
  });
  const said = useRef<string>(undefined);
  useSignalEffect(() => {
    const now = submission.value;
    if (!now) return;
    const text = `${now.file.name}: ${statusText(now)}`;
    if (said.current !== undefined && said.current !== text) announce(text);
    said.current = text;
  });
  useInterval(refresh, compareMs, submission.value?.comparing ?? false);
  return { submission, error, isConnected, reload: refresh };
}

/** News come without the report, the manifest, and the report of modelling. */
function withNews(data: Submission, news: Submission): Submission {
  const { modelling } = news;
  return { ...data, ...news, modelling: modelling && { ...data.modelling, ...modelling } };
}
