import { startApi } from '../../api/server.ts';
import { openApplication } from '../../commands/application.ts';
import { runWithoutArguments, untilStopped } from '../../commands/run.ts';
import { startWorkers } from '../../workers/worker.ts';

// The whole service in a process of its own, as `npm start` runs it, without the demo: see probed-service.ts.
await runWithoutArguments('', async () => {
  const application = await openApplication();
  const api = await startApi(application);
  const workers = await startWorkers(application);
  console.log(`The service answers at ${api.url}`);
  return untilStopped(async () => {
    await workers.close();
    await api.close();
    await application.close();
  });
});
