import { parseManifest } from '../coverage/submissions/manifest.ts';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Application } from './application.ts';
import { once } from './demo.ts';
import { type Sample, submitSamples } from './samples.ts';

const part = 'review';

/** The demo operator's coverage, and a next version that takes service away from addresses. */
const files = ['review/wireless-2026-10.geojson', 'review/wireless-2026-11.geojson'];

const sampleOf = (file: string): Omit<Sample, 'sha256'> => ({
  file,
  manifest: parseManifest({
    provider: { name: 'Demo Networks', url: 'https://demo-networks.example/' },
    ...{ technology: 'wireless', publish: 'auto' },
  }),
});

/** True where no earlier start has made it. */
export async function lacksReview(database: Database): Promise<boolean> {
  const { rows } = await database.query(sql`select from demo_part where name = ${part}`);
  return rows.length === 0;
}

/** Publishes coverage of the demo's operator, and submits a version that waits for a review, as it loses too much; once. */
export const seedReview = (application: Application): Promise<void> =>
  once(application.database, part, async () => {
    for (const file of files) await submitSamples(application, [sampleOf(file)]);
  });
