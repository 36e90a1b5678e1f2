import { type Request, type Response, Router } from 'express';
import type { BlockingRules } from '../../../core/coverage/datasets/blocking.ts';
import {
  isFinished,
  type SubmissionView,
  viewSubmissionState,
} from '../../../core/coverage/submissions/views.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { submissionBody } from '../../http/submission-response.ts';
import { identify, identityOf, viewerOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods, unknown } from '../../middleware/operator-errors.ts';
import { isUuid, queryText } from '../../request-values.ts';

/** How soon a browser whose connection was lost comes back. */
const retryMs = 2_000;
/** Streams of a token at once, in this process. */
const maxStreams = 10;

/**
 * The way of a submission as it goes, as server-sent events.
 *
 *     GET /api/operator/submissions/<id>/events
 *     Last-Event-ID: <revision>
 *
 * Each event is the whole state, with the revision of the row as its id: whoever was away needs only the latest.
 */
export function submissionEvents(context: ApiContext): Router {
  const { database } = context;
  const router = Router({ caseSensitive: true });
  const path = '/api/operator/submissions/:id/events';
  /** How many streams each token has. */
  const streams = new Map<number, number>();
  router.get(path, async (request, response) => {
    const { id } = request.params;
    const { tokenId } = identityOf(request);
    const last = lastEventId(request);
    const first = isUuid(id) ? await viewSubmissionState(database, id, viewerOf(request)) : undefined;
    if (!first) throw unknown('submission');
    if (isFinished(first) && last !== undefined && last >= first.revision) {
      // EventSource takes this for the end, and comes no more.
      response.status(204).end();
      return;
    }
    const open = streams.get(tokenId) ?? 0;
    if (open >= maxStreams) throw tooManyStreams();
    // A connection that is lost while this waits counts for nothing.
    if (response.closed) return;
    streams.set(tokenId, open + 1);
    response.once('close', () => {
      const left = (streams.get(tokenId) ?? 1) - 1;
      if (left > 0) streams.set(tokenId, left);
      else streams.delete(tokenId);
    });
    begin(response);
    follow(context, request, response, first.id, last ?? 0);
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

/** Sends each new state until the submission is finished, or whoever asked has gone or may not see it, or the server stops. */
function follow(context: ApiContext, request: Request, response: Response, id: string, seen: number): void {
  const { watch, stopping, config } = context;
  let sent = seen;
  const stopWatching = watch.watch(id, (submission) => {
    if (submission.revision > sent) {
      sent = submission.revision;
      response.write(eventOf(submission, config.publishBlocks));
    }
    if (isFinished(submission)) end('event: end\ndata: {}\n\n');
  });
  // Proxies take a connection for dead that is silent for longer.
  const heartbeat = setInterval(async () => {
    // Who has not taken what was sent since the last one has gone.
    if (response.writableNeedDrain) return void response.destroy();
    const isGood = await mayFollow(context, request);
    if (response.writableEnded) return;
    if (isGood) response.write(': \n\n');
    else end();
  }, config.eventHeartbeatSeconds * 1000);
  const end = (text?: string) => {
    stop();
    response.end(text);
  };
  const onStop = () => end();
  const stop = () => {
    clearInterval(heartbeat);
    stopWatching();
    stopping.removeEventListener('abort', onStop);
  };
  response.once('close', stop);
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) end();
}

/** Whether the token or session that a stream was asked for with is still good. */
async function mayFollow(context: ApiContext, request: Request): Promise<boolean> {
  try {
    return (await identify(context, request))?.tokenId === identityOf(request).tokenId;
  } catch (error) {
    if (error instanceof CovermapError) return false;
    // A fault says nothing about the token: it is asked for again.
    context.logger.warn({ err: error }, 'it could not be looked up whether a stream of events may go on');
    return true;
  }
}

/** Made once for all who watch. */
const events = new WeakMap<SubmissionView, string>();

function eventOf(submission: SubmissionView, rules: BlockingRules): string {
  let text = events.get(submission);
  if (text === undefined) {
    const { revision } = submission;
    text = `id: ${revision}\nevent: submission\ndata: ${JSON.stringify(submissionBody(submission, rules))}\n\n`;
    events.set(submission, text);
  }
  return text;
}

function tooManyStreams(): CovermapError {
  return new CovermapError(
    'too_many_streams',
    `This token follows ${maxStreams} submissions already.`,
    'End one of these streams first, or ask for the submission itself now and then.',
  );
}

function lastEventId(request: Request): number | undefined {
  const text = request.get('last-event-id') || queryText(request, 'last_event_id');
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidRequest('"Last-Event-ID" is not the id of an event.');
  return Number(text);
}
