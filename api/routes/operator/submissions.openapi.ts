import { manifestJsonSchema } from '../../../core/coverage/submissions/manifest.ts';
import { submissionStates } from '../../../core/coverage/submissions/states.ts';
import { changing, handingIn, operatorErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  oneOf,
  path,
  query,
  ref,
  security,
  text,
  time,
  uuid,
} from '../../openapi/parts.ts';
import type { Description, Schema } from '../../openapi/types.ts';

export const submissionId = path(
  'id',
  'Of the submission',
  { type: 'string', format: 'uuid' },
  '0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f',
);
const location = { Location: { description: 'The address of the submission.', schema: text() } };
const base = '/api/operator/submissions';
const note = text('The operator’s own words about it: one line.', { maxLength: 500 });

const refusals = [
  'submission_not_ready',
  'submission_superseded',
  'submission_failed',
  'submission_withdrawn',
  'scopes_too_many',
  'published_meanwhile',
  'comparison_outdated',
  'losses_unconfirmed',
];

const publishingConflict = answer(`${refusals.map((name) => `\`${name}\``).join(', ')}.`, {
  allOf: [ref('PublishingRefused'), { properties: { code: { enum: refusals } } }],
});

export const submissionsDescription: Description = {
  paths: {
    [base]: {
      post: {
        operationId: 'handIn',
        tags: ['Submissions'],
        summary: 'Hand in a file',
        description:
          'As a form with the file and its manifest, or as JSON of a file that was uploaded before. The file is kept by the time of the answer, and worked on soon.',
        security: security.token,
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: object(
                {
                  file: text('The file.', { format: 'binary' }),
                  manifest: text('What it is, as JSON: see `Manifest`. The provider may be left out.'),
                  again: text('`true`: work on it once more, also where the same was handed in before.', {
                    enum: ['true', 'false'],
                  }),
                  note,
                },
                { optional: ['again', 'note'] },
              ),
              example: { file: '@fibre-north.zip', manifest: '{"technology": "fibre", "publish": "review"}' },
            },
            [json]: {
              schema: object(
                { file_id: uuid('Of an upload.'), manifest: ref('Manifest'), again: boolean(), note },
                { optional: ['again', 'note'] },
              ),
            },
          },
        },
        responses: {
          202: {
            ...answer('Kept; its turn comes.', ref('Accepted')),
            headers: location,
          },
          200: {
            ...answer('The same was handed in before: this is that submission.', ref('Accepted')),
            headers: location,
          },
          ...operatorErrors({
            ...handingIn,
            429: ['submissions_too_many', 'uploads_too_many'],
            507: ['storage_full', 'storage_quota_exceeded'],
            404: ['file_unknown'],
            409: ['file_not_complete'],
            422: [...(handingIn[422] ?? []), 'file_not_usable'],
          }),
        },
      },
      get: {
        operationId: 'listSubmissions',
        tags: ['Submissions'],
        summary: 'What was handed in, newest first',
        security: security.token,
        parameters: [
          query('limit', 'How many, 50 unless given', integer(undefined, { minimum: 1, maximum: 200 })),
          query('before', 'What the page before had as `next`', uuid()),
          query('technology', 'Only of this technology', text(), 'fibre'),
          query('status', 'Only with this status', text(), 'published'),
          query('provider', 'Only of the provider with this name; for staff', text()),
        ],
        responses: {
          200: answer(
            'A page of them, each without `manifest` and `report`.',
            object({ submissions: list(ref('Submission')), next: nullable(uuid('For `before`.')) }),
          ),
          ...operatorErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    [`${base}/{id}`]: {
      get: {
        operationId: 'getSubmission',
        tags: ['Submissions'],
        summary: 'One submission with its manifest and report',
        security: security.token,
        parameters: [submissionId],
        responses: {
          200: answer('The submission.', ref('Submission')),
          ...operatorErrors({ 404: ['submission_unknown'] }),
        },
      },
    },
    [`${base}/{id}/file`]: {
      get: {
        operationId: 'getFileOfSubmission',
        tags: ['Submissions'],
        summary: 'The file as it was handed in',
        security: security.token,
        parameters: [submissionId],
        responses: {
          200: {
            description: 'The file.',
            content: { 'application/octet-stream': { schema: text(undefined, { format: 'binary' }) } },
          },
          ...operatorErrors({ 404: ['submission_unknown'] }),
        },
      },
    },
    [`${base}/{id}/reprocess`]: {
      post: {
        operationId: 'reprocessSubmission',
        tags: ['Submissions'],
        summary: 'Its file once more, to be described anew',
        security: security.token,
        parameters: [submissionId],
        responses: {
          201: {
            ...answer(
              'The file, as if it had been uploaded again, with the answers that it had: submit it with the same or other ones.',
              ref('UploadedFile'),
            ),
            headers: location,
          },
          ...operatorErrors({
            ...changing,
            404: ['submission_unknown'],
            429: ['uploads_too_many'],
            507: ['storage_quota_exceeded'],
          }),
        },
      },
    },
    [`${base}/{id}/publish`]: {
      post: {
        operationId: 'publishSubmission',
        tags: ['Submissions'],
        summary: 'Publish it: lookups answer from it',
        security: security.token,
        parameters: [submissionId],
        requestBody: {
          required: false,
          content: {
            [json]: {
              schema: object(
                {
                  replaces: nullable(
                    list(
                      integer(),
                      'The datasets that it is expected to replace; others: `published_meanwhile`.',
                    ),
                  ),
                  comparison: nullable(
                    text(
                      'The submission’s `comparison`, by who has seen what it says is lost and blocking. Without it nothing is published that has something in `blocking`.',
                    ),
                  ),
                },
                { optional: ['replaces', 'comparison'] },
              ),
              example: { replaces: [29], comparison: 'mPZ0w6kVQe5uXl0yqE7l2w' },
            },
          },
        },
        responses: {
          200: answer('Published, also where it was already.', ref('Submission')),
          ...operatorErrors({
            ...changing,
            400: ['request_invalid'],
            404: ['submission_unknown'],
            422: ['provider_url_missing'],
          }),
          409: publishingConflict,
        },
      },
    },
    [`${base}/{id}/withdraw`]: {
      post: {
        operationId: 'withdrawSubmission',
        tags: ['Submissions'],
        summary: 'Take it away before it is published',
        security: security.token,
        parameters: [submissionId],
        responses: {
          200: answer('Withdrawn.', ref('Submission')),
          ...operatorErrors({
            ...changing,
            404: ['submission_unknown'],
            409: ['submission_published', 'submission_superseded', 'submission_failed'],
          }),
        },
      },
    },
    [`${base}/{id}/note`]: {
      put: {
        operationId: 'changeNote',
        tags: ['Submissions'],
        summary: 'Write a note about it',
        security: security.token,
        parameters: [submissionId],
        requestBody: {
          required: true,
          content: {
            [json]: { schema: object({ note }), example: { note: 'With the new sites in Rolleston' } },
          },
        },
        responses: {
          200: answer('The submission.', ref('Submission')),
          ...operatorErrors({ ...changing, 400: ['request_invalid'], 404: ['submission_unknown'] }),
        },
      },
    },
  },
  schemas: {
    Manifest: withoutDialect(manifestJsonSchema()),
    Accepted: object({
      id: uuid(),
      status: ref('SubmissionStatus'),
      duplicate: boolean(),
      links: ref('Links'),
    }),
    SubmissionStatus: oneOf(submissionStates),
    Links: { type: 'object', additionalProperties: text(), description: 'Addresses of what follows.' },
    PublishingRefused: {
      ...object(
        { code: text(), message: text(), hint: text(), docs: text(), submission: ref('Submission') },
        { optional: ['hint', 'submission'] },
      ),
      description:
        'Why a submission is not published. Where its publisher has not seen what it means now, the submission as it is now.',
    },
    ErrorReport: object(
      { code: text(), message: text(), hint: text(), choices: list(ref('ReferenceSystemChoice')) },
      { optional: ['hint', 'choices'] },
    ),
    ReferenceSystemChoice: object({
      crs: text('As the manifest takes it: EPSG:2193'),
      name: text(),
      bbox: list(number('West, south, east, north of where the file would lie, in degrees.')),
      likely: boolean('Whether some of that is in the service area.'),
    }),
    Submission: object(
      {
        id: uuid(),
        status: ref('SubmissionStatus'),
        finished: boolean('No work is under way or to come, but for what somebody may ask for.'),
        waiting_for: nullable(oneOf(['prediction', 'publish'])),
        revision: integer('Grows with every change.'),
        provider: ref('NamedProvider'),
        technologies: list(text()),
        kind: oneOf(['coverage', 'towers']),
        processed_by: oneOf(['operator', 'service']),
        publish: oneOf(['auto', 'review']),
        file: object({ name: text(), size_bytes: integer(), sha256: text() }),
        towers: nullable(object({ count: integer() })),
        prediction: nullable(
          object({
            file: object({ name: text(), size_bytes: integer() }),
            attached_at: text(),
            error: nullable(ref('ErrorReport')),
          }),
        ),
        submitted_by: nullable(text()),
        note,
        received_at: time(),
        started_at: nullable(time()),
        finished_at: nullable(time()),
        progress: nullable(
          object({
            step: oneOf(['reading', 'loading', 'checking']),
            percent: integer(undefined, { minimum: 0, maximum: 100 }),
            bytes_read: integer(),
            bytes_total: integer(),
            features_read: integer(),
            rows_loaded: integer(),
          }),
        ),
        error: nullable(ref('ErrorReport')),
        blocking: list(
          object({ code: text(), message: text() }),
          'What somebody has to have seen before it is published as things stand: much of the area lost, and warnings of the kinds that matter.',
        ),
        comparison: nullable(
          text(
            'What is shown of it beside what is published now, as publishing it names this. Null where it is not ready, or is being compared.',
          ),
        ),
        comparing: boolean('Whether it is being compared with what is published now.'),
        held_back: boolean('Whether it was to publish itself, and waits for somebody because of `blocking`.'),
        datasets: list(ref('SubmissionDataset')),
        can: object({ publish: boolean(), withdraw: boolean(), attach_prediction: boolean() }),
        manifest: { type: 'object', description: 'Where one submission is asked for.' },
        report: nullable(ref('Report')),
        links: ref('Links'),
      },
      { optional: ['manifest', 'report'] },
    ),
    SubmissionDataset: object({
      id: integer(),
      technology: text(),
      scope: text('Empty: the coverage that has none.'),
      state: ref('DatasetState'),
      area_km2: nullable(number()),
      published_at: nullable(text()),
      superseded_at: nullable(text()),
      can_roll_back: boolean(),
      replaces: nullable(integer('What is published now of the same technology and scope.')),
      change: nullable(
        object({
          compared_with: nullable(integer()),
          current: boolean(),
          gained_km2: number(),
          lost_km2: number('Of what is published in its scope.'),
          unchanged_km2: number(),
          still_covered_km2: number(
            'Of what is lost: where another published scope of the technology covers the ground, at least as available.',
          ),
          downgraded_km2: number('Of what is unchanged: where it is available now, and would not be.'),
        }),
      ),
    }),
    DatasetState: oneOf(['ready', 'published', 'superseded', 'restoring', 'withdrawn']),
    Report: reportSchema(),
  },
};

function reportSchema(): Schema {
  const example = object(
    { layer: text(), feature: integer(), name: text(), value: text(), lat: number(), lng: number() },
    { optional: ['name', 'value', 'lat', 'lng'] },
  );
  return {
    ...object(
      {
        text: list(text(), 'The report as sentences.'),
        features: object({
          read: integer(),
          loaded: integer(),
          repaired: integer(),
          clipped: integer(),
          dropped: { type: 'object', additionalProperties: integer() },
        }),
        problems: list(
          object({
            kind: oneOf(['dropped', 'repaired', 'clipped']),
            reason: text(),
            text: text(),
            count: integer(),
            examples: list(example, 'At most ten.'),
          }),
        ),
        tiers: list({ type: 'object' }, 'The distinct offers, each with its area.'),
        warnings: list({ type: 'object', properties: { code: text(), message: text() } }),
        layers: list({ type: 'object' }),
        rows: integer(),
        vertices: integer(),
        area_km2: number(),
        bbox: nullable(list(number(), 'west, south, east, north')),
      },
      { additionalProperties: true },
    ),
    description: 'What was read, repaired, dropped and why.',
  };
}

/** The manifest as part of this description; its provider may be left out by operators. */
function withoutDialect({ $schema: _, required, ...schema }: Schema): Schema {
  const left = ((required as string[]) ?? []).filter((name) => name !== 'provider');
  return { ...schema, ...(left.length > 0 ? { required: left } : {}) };
}
