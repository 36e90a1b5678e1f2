import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Manifest, parseManifest } from '../../../coverage/submissions/manifest.ts';
import { choose, handIn, submissionId, useOperators } from '../../browser/operator.ts';
import { drawnOnMap, uploadFile } from '../../setup/browser.ts';
import { sampled } from '../../setup/rounds.ts';

/* What the operators' page asks about a file of each format: the answers make the manifest that the sample has, and the map draws it. */

const scene = await useOperators();
const page = await scene.signedIn('Demo Networks');

const nothingMore = async () => undefined;

async function speedsOf(row: string, download: string, upload: string): Promise<void> {
  const group = page.getByRole('group', { name: row });
  await group.getByLabel('Download, Mbps', { exact: true }).fill(download);
  await group.getByLabel('Upload, Mbps', { exact: true }).fill(upload);
}

/** One file for each way of description: attributes, recognised ones, categories, levels of signal. */
const few: [file: string, describe: () => Promise<unknown>][] = [
  [
    'fibre-north.zip',
    async () => {
      for (const [speed, field] of [
        ['bandwidth_max_mbps', 'MAX_DOWN'],
        ['bandwidth_up_max_mbps', 'MAX_UP'],
        ['bandwidth_min_mbps', 'MIN_DOWN'],
        ['bandwidth_up_min_mbps', 'MIN_UP'],
      ] as const)
        await page.locator(`#${speed}-from`).selectOption(field);
    },
  ],
  ['several.fgb', nothingMore],
  [
    'wireless-areas.kml',
    async () => {
      await page.getByLabel('By category field').check();
      await page.getByLabel('Category field', { exact: true }).selectOption('folder');
      await speedsOf('Strong', '100', '30');
      await speedsOf('Weak', '25', '5');
    },
  ],
  [
    'wireless-signal.tif',
    async () => {
      const table = page.getByRole('group', { name: 'Speeds per class' });
      const from = table.getByLabel('From');
      const merge = table.getByRole('button', { name: 'Merge with the range below' });
      while ((await from.count()) > 2) await merge.last().click();
      await from.nth(0).fill('-70');
      await from.nth(1).fill('-90');
      await speedsOf('−70 and above', '150', '40');
      await speedsOf('−90 to below −70', '50', '10');
      await page.getByRole('group', { name: 'below −90' }).getByLabel('Status').selectOption('none');
    },
  ],
];
const others: typeof few = [
  [
    'wireless-prediction.kmz',
    async () => {
      await speedsOf('Colour #00a000', '100', '20');
      await speedsOf('Colour #ffc000', '30', '5');
    },
  ],
  ['cable.gpkg', nothingMore],
  ['vdsl.gdb.zip', nothingMore],
  ['copper.tab.zip', nothingMore],
  ['adsl.geojson', nothingMore],
];

test.each(sampled(few, [...few, ...others]))('%s', async (name, describe) => {
  const read = (file: string) => readFileSync(new URL(`../../../samples/${file}`, import.meta.url));
  const described = JSON.parse(String(read(`${name.slice(0, name.indexOf('.'))}.manifest.json`)));
  await choose(page, uploadFile(name, read(name)));
  if (described.technology) await page.getByLabel('Technology').selectOption(described.technology);
  await describe();
  await handIn(page);
  await page.getByRole('heading', { name: 'Validation report' }).waitFor();
  await drawnOnMap(page, 'coverage');
  const { rows } = await scene.service.database.query<{ manifest: Manifest }>(
    'select manifest from submission where id = $1',
    [submissionId(page)],
  );
  const { file: _file, ...manifest } = described;
  const { provider: _provider, publish: _publish, ...expected } = parseManifest(manifest);
  expect(inOrder(rows[0]?.manifest)).toMatchObject(inOrder(expected));
});

/** With its colours in one order. */
const inOrder = ({ classes, ...others }: Partial<Manifest> = {}) => ({
  ...others,
  ...(classes && { classes: [...classes].sort((a, b) => (a.colour ?? '').localeCompare(b.colour ?? '')) }),
});
