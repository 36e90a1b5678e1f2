import { startWorkers } from '../workers/worker.ts';
import { serveMetrics } from './metrics-listener.ts';
import { runService } from './run-service.ts';

const usage = `Usage: npm run worker

Processes submissions, other jobs and what runs on a schedule until SIGTERM or SIGINT. It takes no arguments:
docs/administrator/configuration.md has its settings, which are environment variables.`;

await runService(usage, async (application) => {
  const metrics = await serveMetrics(application);
  const workers = await startWorkers(application);
  console.log('covermap works on submissions');
  if (metrics) console.log(`Metrics are at ${metrics.url}`);
  return {
    async close() {
      await workers.close();
      await metrics?.close();
    },
  };
});
