import { startApi } from '../api/server.ts';
import { openApplication } from './application.ts';
import { runCommand, untilStopped } from './run.ts';

// npm run api: the HTTP interface alone.
await runCommand(async () => {
  const application = await openApplication();
  try {
    const api = await startApi(application);
    console.log(`covermap answers at ${api.url}`);
    return await untilStopped(() => api.close());
  } finally {
    await application.close();
  }
});
