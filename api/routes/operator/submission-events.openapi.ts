import { operatorErrors } from '../../openapi/operator-errors.ts';
import { header, query, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { submissionId } from './submissions.openapi.ts';

export const submissionEventsDescription: Description = {
  paths: {
    '/api/operator/submissions/{id}/events': {
      get: {
        operationId: 'followSubmission',
        tags: ['Submissions'],
        summary: 'Follow a submission as it goes',
        description:
          'Server-sent events. Each `submission` is the whole state, with its revision as the id; `end` is the last. The stream ends, ' +
          'without `end`, when the token or session that it was asked for with does. A token has ten at once.',
        security: security.token,
        parameters: [
          submissionId,
          header('Last-Event-ID', 'The newest event that is known', text()),
          query('last_event_id', 'The same, for who cannot set headers', text()),
        ],
        responses: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: text() } } },
          204: { description: 'There is nothing after the event that is known, nor will there be.' },
          ...operatorErrors({
            400: ['request_invalid'],
            404: ['submission_unknown'],
            429: ['too_many_streams'],
          }),
        },
      },
    },
  },
};
