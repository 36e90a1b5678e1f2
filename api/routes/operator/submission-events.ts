import type { Request, Response } from 'express';
import { z } from 'zod';
import { isFinished, type SubmissionView, viewSubmissionState } from '../../../coverage/submissions/views.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { onceForEach } from '../../../platform/once-for-each.ts';
import { type ApiContext, onceForEachApi } from '../../context.ts';
import { reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { OpenCounts } from '../../http/open-counts.ts';
import { logged } from '../../http/request-id.ts';
import { identify, identityOf } from '../../middleware/identity.ts';
import { filter, submissionId } from '../../schemas/operator.ts';
import { submissionBody } from '../../views/submission.ts';

/** The pause before a browser reconnects. */
const retryMs = 2_000;
/** Max streams of a token at once, in this process. */
const maxStreams = 10;
const streamsOf = onceForEachApi(() => new OpenCounts<number>(maxStreams));

/** The progress of a submission as server-sent events. Each has the full state, so the latest is enough, and the row's revision as its id. */
export const submissionEvents = [
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/submissions/{id}/events', {
    id: 'followSubmission',
    summary: 'Follow the progress of a submission',
    description:
      'Streams server-sent events. Each `submission` event has the full state, with its revision as the ID; `end` is the last event. The stream ends ' +
      'without `end` when its token or session ends. A token can have ten streams at once.',
    params: submissionId,
    headers: { 'Last-Event-ID': z.string().optional().describe('The ID of the last event received') },
    query: z.object({
      last_event_id: filter('`Last-Event-ID`, for clients that cannot set headers'),
    }),
    answers: {
      200: { description: 'The event stream.', content: { 'text/event-stream': { schema: z.string() } } },
      204: { description: 'There are no more events.' },
    },
    errors: ['too_many_streams'],
    async handle(context, { params: { id }, query, request, response, identity, viewer }) {
      const last = parseEventId(request.get('last-event-id') || query.last_event_id);
      const submission = await viewSubmissionState(context.database, id, viewer);
      if (!submission) throw new CovermapError('submission_unknown');
      // EventSource does not reconnect after 204.
      if (isFinished(submission) && last !== undefined && last >= submission.revision) {
        return reply(204, undefined);
      }
      const release = streamsOf(context).begin(identity.tokenId);
      if (!release) {
        throw new CovermapError('too_many_streams', `This token follows ${maxStreams} submissions already.`);
      }
      // A lost connection emits no more events.
      if (response.closed) return void release();
      response.once('close', release);
      begin(response);
      follow(context, request, response, id, last ?? 0);
      return undefined;
    },
  }),
];

function begin(response: Response): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // Otherwise nginx would buffer events.
  response.setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${retryMs}\n\n`);
}

/** Sends each new state until the submission is finished, the client leaves or may no longer see it, or the server stops. */
function follow(context: ApiContext, request: Request, response: Response, id: string, seen: number): void {
  const { watch, stopping, config } = context;
  let sent = seen;
  const stopWatching = watch.watch(id, (submission) => {
    if (submission.revision > sent) {
      sent = submission.revision;
      response.write(eventsOf(context)(submission));
    }
    if (isFinished(submission)) end('event: end\ndata: {}\n\n');
  });
  // Proxies close connections that are silent for longer.
  const heartbeat = setInterval(async () => {
    // A client that has not read since the last heartbeat has gone.
    if (response.writableNeedDrain) return void response.destroy();
    const isActive = await mayFollow(context, request);
    if (response.writableEnded) return;
    if (isActive) response.write(': \n\n');
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

/** Tells if the token or session of a stream is still active. */
async function mayFollow(context: ApiContext, request: Request): Promise<boolean> {
  try {
    return (await identify(context, request))?.tokenId === identityOf(request).tokenId;
  } catch (error) {
    if (error instanceof CovermapError) return false;
    // A fault says nothing about the token: the next heartbeat checks it again.
    context.logger.warn(
      { err: error, ...logged(request) },
      'the token of an event stream could not be checked',
    );
    return true;
  }
}

/** The text of an event, made once for all its streams. */
const eventsOf = onceForEachApi((context) =>
  onceForEach((submission: SubmissionView) => {
    const data = JSON.stringify(submissionBody(submission, context));
    return `id: ${submission.revision}\nevent: submission\ndata: ${data}\n\n`;
  }),
);

function parseEventId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidRequest('"Last-Event-ID" is not the id of an event.');
  return Number(text);
}
