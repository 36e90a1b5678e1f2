import { api, asApiError } from '../shared/client.ts';
import type { Submission } from '../shared/schemas.ts';

export interface FollowListener {
  changed(submission: Submission): void;
  /** Whether news arrive; while they do not, it is tried again. */
  connected(isConnected: boolean): void;
  /** It cannot be followed at all: it does not exist, or not for who is signed in. */
  refused(): void;
}

/** How often it is asked for where the stream of events does not work, such as behind some proxies. */
const pollMs = 2000;
/** How often in a row the stream may fail before it is given up and polling begins. */
const maxFailures = 3;

/** Follows a submission until it is finished, by server-sent events or by polling. @returns ends it */
export function follow(id: string, listener: FollowListener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let revision = -1;
  let ended = false;

  const take = (submission: Submission) => {
    listener.connected(true);
    if (submission.revision < revision) return;
    revision = submission.revision;
    listener.changed(submission);
  };
  const end = () => {
    ended = true;
    source.close();
    clearTimeout(timer);
  };
  const poll = async () => {
    try {
      const submission = await api.get('/api/operator/submissions/{id}', { path: { id } });
      if (ended) return;
      take(submission);
      if (submission.finished) return end();
    } catch (caught) {
      if (ended) return;
      const { status } = asApiError(caught);
      if (status >= 400 && status < 500) {
        end();
        return listener.refused();
      }
      listener.connected(false);
    }
    timer = setTimeout(poll, pollMs);
  };

  const source = new EventSource(`/api/operator/submissions/${encodeURIComponent(id)}/events`);
  source.addEventListener('submission', (event) => {
    failures = 0;
    take(JSON.parse(event.data) as Submission);
  });
  // What is known already is not sent again: that the stream is there is news enough.
  source.addEventListener('open', () => {
    failures = 0;
    listener.connected(true);
  });
  source.addEventListener('end', end);
  source.addEventListener('error', () => {
    if (ended) return;
    failures += 1;
    // The browser tries again by itself, unless the answer was no stream of events.
    if (source.readyState === EventSource.CLOSED || failures >= maxFailures) {
      source.close();
      void poll();
    } else listener.connected(false);
  });
  return end;
}
