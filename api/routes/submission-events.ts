import { type Request, type Response, Router } from 'express';
import {
  isFinished,
  type SubmissionView,
  viewSubmissionState,
} from '../../core/coverage/submission-views.ts';
import type { ApiContext } from '../app.ts';
import { viewerOf } from '../middleware/identity.ts';
import { invalidRequest, otherMethods, unknown } from '../middleware/operator-errors.ts';
import { isUuid, queryText } from '../request-values.ts';
import { submissionBody } from '../submission-response.ts';

/** Proxies take a connection for dead that is silent for longer. */
const heartbeatMs = 15_000;
/** How soon a browser whose connection was lost comes back. */
const retryMs = 2_000;

/**
 * The way of a submission as it goes, as server-sent events.
 *
 *     GET /api/operator/submissions/<id>/events
 *     Last-Event-ID: <revision>
 *
 * Each event is the whole state, with the revision of the row as its id: whoever was away needs only the latest.
 */
export function submissionEvents(context: ApiContext): Router {
  const { database, logger } = context;
  const router = Router({ caseSensitive: true });
  const path = '/api/operator/submissions/:id/events';
  router.get(path, async (request, response) => {
    const { id } = request.params;
    const viewer = viewerOf(request);
    const look = async () => (isUuid(id) ? viewSubmissionState(database, id, viewer) : undefined);
    const last = lastEventId(request);
    const first = await look();
    if (!first) throw unknown('submission');
    if (isFinished(first) && last !== undefined && last >= first.revision) {
      // EventSource takes this for the end, and comes no more.
      response.status(204).end();
      return;
    }
    begin(response);
    await follow(context, response, first, look, last ?? 0).catch((error) => {
      // Whoever watches comes back, and may be answered by then.
      logger.warn({ err: error, submission: id }, 'a stream of events was cut off');
      response.destroy();
    });
  });
  router.all(path, otherMethods('GET'));
  return router;
}

function begin(response: Response): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // nginx would keep events back until a buffer is full.
  response.setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${retryMs}\n\n`);
}

/** Sends each new state until the submission is finished, or whoever asked has gone, or the server stops. */
async function follow(
  { watch, stopping }: ApiContext,
  response: Response,
  first: SubmissionView,
  look: () => Promise<SubmissionView | undefined>,
  seen: number,
): Promise<void> {
  let wake = () => {};
  let changed = false;
  const onChange = () => {
    changed = true;
    wake();
  };
  const stopWatching = watch.watch(first.id, onChange);
  const heartbeat = setInterval(() => response.write(': \n\n'), heartbeatMs);
  response.once('close', onChange);
  stopping.addEventListener('abort', onChange);
  try {
    // What changed between the first look and the watching.
    let submission = await look();
    let sent = seen;
    while (submission && !response.closed && !stopping.aborted) {
      if (submission.revision > sent) {
        sent = submission.revision;
        response.write(
          `id: ${sent}\nevent: submission\ndata: ${JSON.stringify(submissionBody(submission))}\n\n`,
        );
      }
      if (isFinished(submission)) {
        response.write('event: end\ndata: {}\n\n');
        break;
      }
      if (!changed)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      changed = false;
      if (response.closed || stopping.aborted) break;
      submission = await look();
    }
    response.end();
  } finally {
    clearInterval(heartbeat);
    stopWatching();
    stopping.removeEventListener('abort', onChange);
  }
}

function lastEventId(request: Request): number | undefined {
  const text = request.get('last-event-id') || queryText(request, 'last_event_id');
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidRequest('"Last-Event-ID" is not the id of an event.');
  return Number(text);
}
