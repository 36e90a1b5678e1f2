import type { BlockingRules } from '../../core/coverage/datasets/blocking.ts';
import {
  type SubmissionDetail,
  type SubmissionView,
  shownSubmission,
} from '../../core/coverage/submissions/views.ts';

/** A submission as the API answers it. */
export function submissionBody(submission: SubmissionView | SubmissionDetail, rules: BlockingRules) {
  return { ...shownSubmission(submission, rules), links: submissionLinks(submission.id) };
}

export function submissionLinks(id: string) {
  const self = `/api/operator/submissions/${id}`;
  return {
    self,
    events: `${self}/events`,
    publish: `${self}/publish`,
    withdraw: `${self}/withdraw`,
    file: `${self}/file`,
    tiles: `${self}/tiles/{z}/{x}/{y}.mvt`,
    change_tiles: `${self}/change/{z}/{x}/{y}.mvt`,
  };
}
