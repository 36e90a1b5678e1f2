import { startApi } from '../api/server.ts';
import { runService } from '../commands/run.ts';
import { unlimited } from '../core/access/rate-limit/rate-limit.ts';

// The API as `npm run api` runs it, or, with METERING=off, without rate limit and metering.
await runService('', async (application) => {
  const without = { limit: unlimited, meter: { count: () => undefined } };
  const api = await startApi(application, process.env.METERING === 'off' ? without : {});
  console.log(`covermap answers at ${api.url}`);
  return api;
});
