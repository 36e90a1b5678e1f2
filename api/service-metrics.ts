import { usageGauges } from '../billing/figures.ts';
import type { Meter } from '../billing/metering.ts';
import { coverageGauges } from '../coverage/jobs/figures.ts';
import type { Catalog } from '../coverage/lookup/catalog.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { WriteGauge } from '../platform/metrics/service.ts';
import { registryGauges } from '../registry/figures.ts';

/* What `GET /metrics` shows, beside counters and what all processes have. */

/** Of rows, the same from any process. @param db for these figures alone: nothing else waits for its connections */
export const readRowGauges = (db: Queryable) => () =>
  Promise.all([coverageGauges, registryGauges, usageGauges].map((read) => read(db)));

/** Of the parts of an API. */
export const apiGauges = (
  catalog: Pick<Catalog, 'snapshot'>,
  meter: Pick<Meter, 'unstoredSince'> | undefined,
) => [
  (gauge: WriteGauge) => {
    const { version } = catalog.snapshot;
    gauge('catalog_version', 'The version of what is published, as this process answers.', [[version]]);
    if (!meter) return;
    const age = Math.max(0, Date.now() - (meter.unstoredSince ?? Date.now())) / 1000;
    gauge('usage_unstored_seconds', 'Age of the oldest counted query that is not stored.', [[age]]);
  },
];
