import { publishSubmission } from '../coverage/datasets/publish.ts';
import { holdSubmission } from '../coverage/submissions/submissions.ts';
import { CovermapError, errorReport } from '../platform/errors.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, submissionKey } from './step.ts';

/** Publishes submissions that need no review, if they were compared with the version that is published now. */
export function publishCoverage({ config, database, logger }: WorkerContext): StepWork {
  return {
    step: 'publish',
    key: submissionKey,
    async work(id) {
      const options = { laterStays: true, rules: config.publishBlocks };
      const outcome = await publishSubmission(database, id, options).catch((error) => {
        // Another version has replaced it in the meantime.
        if (error instanceof CovermapError && error.code === 'submission_superseded')
          return 'superseded' as const;
        throw error;
      });
      logger.info({ submission: id }, outcome);
      return [outcome === 'outdated' ? ['compare', id] : ['archive']];
    },
    async fail(id, error) {
      const { code, message } = errorReport(error);
      // The loaded coverage stays, and waits for somebody to publish it.
      await holdSubmission(database, id, { code, message });
    },
  };
}
