import { type Application, openApplication } from './application.ts';
import { runWithoutArguments, untilStopped } from './run.ts';

/** Runs a part of the service until it is stopped. @param start prints that it works */
export function runService(
  usage: string,
  start: (application: Application) => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  return runWithoutArguments(usage, async () => {
    const application = await openApplication();
    try {
      const starting = start(application);
      // A stop during the start takes effect after it.
      const stopped = untilStopped(async () => (await starting).close());
      stopped.catch(() => undefined);
      await starting;
      return await stopped;
    } finally {
      await application.close();
    }
  });
}
