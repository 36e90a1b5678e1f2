import type { ModellingReport } from '../shared/schemas.ts';
import { Facts } from '../shared/ui/facts.tsx';
import { Table } from '../shared/ui/table.tsx';
import { area, number, percent } from '../shared/words.ts';
import { profiles } from './modelling.tsx';

/** The number of listed towers; a list may have thousands. */
const maxListed = 100;

/** The model, its terrain, and each tower's contribution. */
export function ModelFacts({ report }: { report: ModellingReport }) {
  const { model, profile, parameters: by, terrain, clutter, unknown_share: unknown, towers } = report;
  const listed = towers.slice(0, maxListed);
  return (
    <details class="model-facts wide">
      <summary>How it was modelled</summary>
      <div class="stack">
        <Facts
          list={[
            ['Model', model],
            ['Speeds', profiles.find(([name]) => name === profile)?.[1] ?? profile],
            ['Range', `${by.range_km} km, in steps of ${by.resolution_m} m`],
            ['Receiver', `${by.receiver_height_m} m above ground, ${by.receiver_gain_dbi} dBi`],
            ['Reliability', `${by.time_percent}% of the time, at ${by.location_percent}% of places`],
            [
              'Terrain',
              terrain.map(({ name, resolution_m: metres }) => `${name} (${number(metres)} m)`).join(', '),
            ],
            ['Without terrain', unknown > 0 && `${percent(unknown)} of the surroundings, taken as sea`],
            ['Land cover', clutter && landCover(clutter)],
          ]}
        />
        <Table
          caption="Where each tower is the strongest"
          columns={[
            { title: 'Tower', heading: true, cell: ({ name }) => name ?? 'Unnamed' },
            { title: 'Strongest on', numeric: true, cell: ({ area_km2: km2 }) => area(km2) },
            { title: 'Share', numeric: true, cell: ({ share }) => percent(share) },
          ]}
          rows={listed}
        />
        {towers.length > listed.length && (
          <p class="hint">
            The first {listed.length} of {number(towers.length)}.
          </p>
        )}
      </div>
    </details>
  );
}

function landCover({ classes, unlisted_share: unlisted }: NonNullable<ModellingReport['clutter']>): string {
  const parts = classes
    .filter(({ loss_db }) => loss_db > 0)
    .map(
      (one) => `${one.name ?? `class ${one.class}`}: ${one.loss_db.toFixed(0)} dB on ${percent(one.share)}`,
    );
  if (unlisted > 0) parts.push(`unknown, and taken as open, on ${percent(unlisted)}`);
  return parts.join('; ') || 'open ground everywhere';
}
