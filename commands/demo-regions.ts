import { serviceActor } from '../access/actor.ts';
import { importRegions } from '../ingest/regions/import-regions.ts';
import type { Application } from './application.ts';
import { once } from './demo.ts';
import { samplePath } from './samples.ts';

const name = 'regions.zip';

/** Imports the made-up regions of the samples, once. */
export const seedRegions = (application: Application): Promise<void> =>
  once(application.database, 'regions', () =>
    importRegions(
      application,
      {
        ...{ layer: 'parts of the country', file: samplePath(name), name },
        ...{ column: undefined, crs: undefined, accept: [] },
      },
      serviceActor,
    ),
  );
