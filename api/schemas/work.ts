import { z } from 'zod';
import { workStates } from '../../core/metrics/unfinished-work.ts';
import { workKinds } from '../../core/work.ts';
import { named } from './named.ts';
import { ErrorReport } from './operator.ts';
import { time } from './values.ts';

/* What workers do, have to do and could not do. */

const WorkKind = named(
  'WorkKind',
  z
    .enum(workKinds)
    .describe(
      '`ingest`: load a submission. `compare`: compare it with what is live. `inspect`: read what a draft’s file holds. `bulk`: look up a file of positions. `rollback`: restore a version. `overview`: draw a version for the map. `predict`: model coverage from towers.',
    ),
);

export const WorkCount = named('WorkCount', {
  kind: WorkKind,
  waiting: z.int(),
  running: z.int(),
  delayed: z.int().describe('Failed for now, or waiting for the storage; it is tried again.'),
  failed: z.int().describe('For good, within a week.'),
  waiting_since: time().nullable().describe('Since when the oldest that waits does.'),
  workers: z
    .int()
    .nullable()
    .describe(
      'Workers that take such jobs from the queue; `null` if the queue cannot say, or for what the sweep does.',
    ),
});

export const PieceOfWork = named('PieceOfWork', {
  kind: WorkKind,
  id: z.string(),
  state: z.enum(workStates),
  owner: z.string().nullable().describe('The provider, or the customer of a file of positions.'),
  submission: z.uuid().nullable(),
  file: z.string().nullable(),
  tries: z.int().describe('How often it was begun.'),
  since: time().describe('Since when it waits; when it failed.'),
  retry_at: time().nullable(),
  process: z
    .string()
    .nullable()
    .describe('The process that is at it, as the log of that worker names it at its start.'),
  error: ErrorReport.nullable(),
});

export const Work = named('Work', {
  queue: z.enum(['ok', 'unreachable']).describe('Without the queue, work waits in the database.'),
  kinds: z.array(WorkCount),
  work: z
    .array(PieceOfWork)
    .describe('In the order in which it is done, then what failed within a week, newest first; at most 200.'),
});
