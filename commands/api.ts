import { startApi } from '../api/server.ts';
import { pathProfiles } from '../ingest/towers/path-profiles.ts';
import { speedTrials } from '../ingest/towers/speed-trials.ts';
import { runService } from './run-service.ts';

const usage = `Usage: npm run api

Serves the HTTP API and the pages until SIGTERM or SIGINT. It takes no arguments: docs/administrator/configuration.md has its settings,
which are environment variables.`;

await runService(usage, async (application) => {
  const { config, storage, database } = application;
  const api = await startApi(application, {
    pathProfile: pathProfiles(config, storage),
    trySpeeds: speedTrials(config, storage, database),
  });
  console.log(`covermap answers at ${api.url}`);
  return api;
});
