import type { z } from 'zod';
import {
  requireSubmission,
  type SubmissionDetail,
  type SubmissionView,
  shownSubmission,
} from '../../coverage/submissions/views.ts';
import type { ApiContext } from '../context.ts';
import type { Sent } from '../define-route.ts';
import type { Submission } from '../schemas/operator.ts';

export function submissionBody(
  submission: SubmissionView | SubmissionDetail,
  { config, pathProfile }: Pick<ApiContext, 'config' | 'pathProfile'>,
): Sent<z.input<typeof Submission>> {
  const shown = shownSubmission(submission, config.publishBlocks);
  return {
    ...shown,
    can: { ...shown.can, profile_paths: pathProfile !== undefined && shown.modelling?.state === 'done' },
    links: submissionLinks(submission.id),
  };
}

/** A submission in its current state. @throws CovermapError `submission_unknown` */
export async function submissionNow(context: ApiContext, viewer: { providerId: number | null }, id: string) {
  return submissionBody(await requireSubmission(context.database, id, viewer), context);
}

export function submissionLinks(id: string) {
  const self = `/api/operator/submissions/${id}`;
  return {
    self,
    events: `${self}/events`,
    publish: `${self}/publish`,
    withdraw: `${self}/withdraw`,
    file: `${self}/file`,
    signal: `${self}/signal`,
    tiles: `${self}/tiles/{z}/{x}/{y}.mvt`,
    change_tiles: `${self}/change/{z}/{x}/{y}.mvt`,
  };
}
