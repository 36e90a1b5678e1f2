import { describe, expect, inject, test } from 'vitest';
import type { Database } from '../../../core/database/database.ts';
import { type EmbeddedTemplate, openLikeTemplate } from '../../setup/kept-sessions.ts';

/* The tests of the embedded half rely on this: a database that another test has used is like a new one. */

const backend = inject('backend');

describe.runIf(backend.kind === 'embedded')('a database that another test has closed', () => {
  const { template } = backend as { template: EmbeddedTemplate };

  test('has no row, setting, sequence, listener or temporary table of it', async () => {
    const before = await using(async (database) => {
      const heard: string[] = [];
      await database.listen('test_channel', (payload) => heard.push(payload));
      const rows = await contents(database);
      await database.query(`insert into provider (name, url) values ('Gone', 'https://gone.example/')`);
      await database.query(`update zone set name = name || 'x'`);
      await database.query(`set work_mem = '5MB'; create temp table gone (id int); begin`);
      return { rows, heard };
    });
    await using(async (database) => {
      expect(await contents(database)).toEqual(before.rows);
      await database.query(`notify test_channel, 'late'`);
      expect(before.heard).toEqual([]);
      const { rows } = await database.query<{ gone: string | null; memory: string }>(
        `select to_regclass('gone')::text as gone, current_setting('work_mem') as memory`,
      );
      expect(rows[0]).toEqual({ gone: null, memory: '4MB' });
      const { rows: made } = await database.query<{ id: number }>(
        `insert into provider (name, url) values ('First', 'https://first.example/') returning id`,
      );
      expect(made[0]?.id).toBe(1);
    });
  });

  test('is not used again where its schema was changed', async () => {
    await using((database) => database.query('alter table provider add column gone int'));
    await using(async (database) => {
      await expect(database.query('select gone from provider')).rejects.toThrow(/does not exist/);
    });
  });

  async function using<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openLikeTemplate(template);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** All rows of all tables, as text. */
  async function contents(database: Database): Promise<unknown> {
    const { rows } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'bullmq') and tablename <> 'spatial_ref_sys' order by 1`,
    );
    const all: Record<string, unknown> = {};
    for (const { name } of rows) {
      all[name] = (await database.query(`select t::text from ${name} t order by 1`)).rows;
    }
    return all;
  }
});
