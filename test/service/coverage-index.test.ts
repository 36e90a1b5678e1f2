import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxesMeet, covers } from '../../coverage/boxes.ts';
import { raw, type Sql, sql } from '../../platform/database/sql.ts';
import { readText, sourcesIn } from '../setup/project.ts';
import { useDatabase } from '../setup/service.ts';

/* Areas are found by the index on the boxes around them. */

const { database } = await useDatabase();

const tables = ['coverage', 'coverage_archive', 'coverage_change'] as const;
const conditions: [name: string, Sql][] = [
  ['covers a position', covers(sql`geom`, sql`lng`, sql`lat`)],
  ['meets a box', boxesMeet(sql`geom`, sql`st_makeenvelope(lng, lat, lng + 1, lat + 1, 4326)`)],
];

test.each(
  tables.flatMap((table) => conditions.map(([name, condition]) => [table, name, condition] as const)),
)('an area of %s that %s is found by its index', async (table, _, condition) => {
  await database.transaction(async (connection) => {
    // A table this small is read whole, unless that is forbidden: what counts is that the index can do it.
    await connection.query('set local enable_seqscan = off');
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(sql`
        explain select number, (select count(*) from ${raw(table)} where ${condition})
        from unnest(array[174.5], array[-41.5]) with ordinality as place (lng, lat, number)`);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/_box[\s\S]*Index Cond: \(box\(geom\)/);
  });
});

test('no other condition asks for areas, which would read the whole table', () => {
  const condition = /\bgeom\s*&&.*|&&\s*\w*\.?geom\b.*|st_(intersects|covers|contains)\(\s*\w*\.?geom\b.*/g;
  const sources = sourcesIn().filter((name) => name !== 'coverage/boxes.ts');
  expect(sources.flatMap((name) => readText(name).match(condition) ?? [])).toEqual([]);
});

test('the index leaves out no area that covers a position, on its edges and corners too', async () => {
  // Also degrees that no float has exactly.
  const degree = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((tenths) => tenths / 10),
    fc.double({ min: 0, max: 4, noNaN: true }),
  );
  const side = fc.double({ min: 1e-9, max: 1, noNaN: true });
  const box = fc.record({ west: degree, south: degree, width: side, height: side });
  await fc.assert(
    fc.asyncProperty(fc.array(box, { minLength: 1, maxLength: 20 }), async (boxes) => {
      const { rows } = await database.query<{ missed: number }>(sql`
        with box as (
          select 170 + west as west, south - 45 as south, 170 + west + width as east, south - 45 + height as north
          from jsonb_to_recordset(${JSON.stringify(boxes)}) as given (west float8, south float8, width float8, height float8)
        ),
        area as (select st_makeenvelope(west, south, east, north, 4326) as geom, * from box),
        place as (
          select lng, lat from area cross join lateral (values (west, south), (west, north), (east, south), (east, north),
            ((west + east) / 2, south), (west, (south + north) / 2)) as corner (lng, lat)
        )
        select count(*)::integer as missed from area cross join place
        where st_intersects(geom, st_setsrid(st_makepoint(lng, lat), 4326))
          and not (${covers(sql`geom`, sql`lng`, sql`lat`)})`);
      expect(rows[0]?.missed).toBe(0);
    }),
    { numRuns: 20 },
  );
});
