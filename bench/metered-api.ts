import { startApi } from '../api/server.ts';
import { openApplication } from '../commands/application.ts';
import { runCommand, untilStopped } from '../commands/run.ts';
import { unlimited } from '../core/access/rate-limit/rate-limit.ts';

// The API as `npm run api` runs it, or, called with `off`, without rate limit and metering.
await runCommand(async () => {
  const application = await openApplication();
  try {
    const without = { limit: unlimited, meter: { count: () => undefined } };
    const api = await startApi(application, process.argv[2] === 'off' ? without : {});
    console.log(`covermap answers at ${api.url}`);
    return await untilStopped(() => api.close());
  } finally {
    await application.close();
  }
});
