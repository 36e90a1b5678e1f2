import { expect, test } from 'vitest';
import { CopyOfTree } from '../setup/copy-of-tree.ts';

/* A format that GDAL reads is an entry of the list of formats; the table of the documentation is made of it. */

const listed = `  format('GMT vectors', 'gmt', vector('OGR_GMT'), {
    begins: /^# @VGMT/,
    as: alone,
    notes: 'attributes after \`@D\`',
  }),
`;
const coverage = `# @VGMT1.0 @GPOLYGON
# @Je4326
# @NTECH|DOWN
# @Tstring|integer
# FEATURE_DATA
>
# @Dfibre|100
# @P
174.5 -37
174.5 -36.9
174.6 -36.9
174.6 -37
174.5 -37
`;
const program = `
import { mkdirSync } from 'node:fs';
import { formatsTable } from './packages/coverage-files/formats.ts';
import { openSource } from './packages/coverage-files/open.ts';

mkdirSync('scratch');
const source = await openSource('coverage.gmt', 'coverage.gmt', 'scratch', { layers: undefined, classes: undefined, smoothing: false });
const read = [];
for (const layer of source.layers) {
  const { format, fields } = layer;
  for await (const { polygons, attributes } of layer.features())
    read.push({ format, fields, texts: fields.map((_, i) => attributes.text(i)), polygons: polygons.length });
}
console.log(JSON.stringify({ read, table: formatsTable() }));
process.exit();
`;

test('one entry makes a format readable, and its row of the documentation is written from it', () => {
  const tree = new CopyOfTree(['packages']);
  tree.replace('packages/coverage-files/formats.ts', "  format('GML',", `${listed}  format('GML',`);
  tree.write('coverage.gmt', coverage);
  tree.write('read.ts', program);
  const { read, table } = JSON.parse(tree.run(['--import', 'tsx', 'read.ts']));
  expect(read).toEqual([
    { format: 'GMT vectors', fields: ['TECH', 'DOWN'], texts: ['fibre', '100'], polygons: 1 },
  ]);
  // That the page has the table of the code is another test (docs.test.ts).
  expect(table).toContain('| GMT vectors | `.gmt` | by itself or zipped | attributes after `@D` |');
});
