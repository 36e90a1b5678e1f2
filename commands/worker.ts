import { startWorkers } from '../workers/worker.ts';
import { openApplication } from './application.ts';
import { runCommand, untilStopped } from './run.ts';

// npm run worker: the jobs alone.
await runCommand(async () => {
  const application = await openApplication();
  try {
    const workers = await startWorkers(application);
    console.log('covermap works on submissions');
    return await untilStopped(() => workers.close());
  } finally {
    await application.close();
  }
});
