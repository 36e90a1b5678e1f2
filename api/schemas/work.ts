import { z } from 'zod';
import { workStates } from '../../core/metrics/unfinished-work.ts';
import { steps } from '../../core/work.ts';
import { named } from './named.ts';
import { ErrorReport } from './operator.ts';
import { time } from './values.ts';

/* What workers do, have to do and could not do. */

const WorkKind = named(
  'WorkKind',
  z
    .enum(steps)
    .describe(
      '`inspect`: read what a draft’s file holds. `read-towers`: read a submission’s towers. `predict`: model coverage from them. `load`: load a submission’s coverage. `compare`: compare it with what is live. `publish`: publish it automatically. `archive`: move a version that is no longer live out of the way. `discard`: remove what was loaded of a withdrawn submission. `draw`: draw a version for the map. `rollback`: restore a version. `bulk-lookup`: look up a file of positions.',
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
    .describe('Workers that take such jobs from the queue; `null` if the queue cannot say.'),
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
