import { readConfig } from '../platform/config.ts';
import { type Application, openApplication } from './application.ts';
import { askRunning } from './control.ts';

/** The results of work by the process that has the embedded database open; without one, this process does the work. */
export async function* delegateOrRun<T>(
  name: string,
  argument: unknown,
  run: (application: Application) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const config = readConfig();
  const running = await askRunning<T>(config, name, argument);
  if (running) {
    yield* running;
    return;
  }
  // The results are for a person: logs only on request.
  const logLevel = process.env.LOG_LEVEL ? config.logLevel : 'silent';
  const application = await openApplication({ ...config, logLevel });
  try {
    yield* run(application);
  } finally {
    await application.close();
  }
}
