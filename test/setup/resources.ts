import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { vi } from 'vitest';

/* Memory, connections and files of a running service, measured again and again from outside: do they grow with its work? */

export type Figures = Record<string, number>;

export type ResourceWatch = ReturnType<typeof watchResources>;

/** @param servers of the service, where it has any of its own */
export function watchResources(servers: { databaseUrl?: string | undefined; redisUrl?: string | undefined }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-watched-'));
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'covermap-watched-temporary-'));
  const redis = servers.redisUrl ? new Redis(servers.redisUrl) : undefined;
  const pool = servers.databaseUrl
    ? new pg.Pool({ connectionString: servers.databaseUrl, max: 1 })
    : undefined;
  const loader = fileURLToPath(new URL('report-memory.mjs', import.meta.url));
  return {
    /** The environment of the service's processes. */
    env: { NODE_OPTIONS: `--import ${loader}`, MEMORY_FOLDER: folder, TMPDIR: temporary },
    /** Looks at everything. @param processes by name */
    async look(processes: Record<string, number>) {
      const figures: Figures = { 'temporary files': readdirSync(temporary).length };
      for (const [name, pid] of Object.entries(processes)) {
        const { heapUsed, rss } = await memoryOf(folder, pid);
        figures[`${name}: heap MB`] = heapUsed / 2 ** 20;
        figures[`${name}: memory MB`] = rss / 2 ** 20;
        figures[`${name}: open files`] = readdirSync(`/proc/${pid}/fd`).length;
      }
      if (redis && servers.redisUrl) {
        figures['Redis: keys'] = await redis.dbsize();
        const ours = `db=${new URL(servers.redisUrl).pathname.slice(1)} `;
        figures['Redis: clients'] = String(await redis.client('LIST'))
          .split('\n')
          .filter((line) => line.includes(ours)).length;
      }
      if (pool) {
        const { rows } = await pool.query(
          'select pid from pg_stat_activity where datname = current_database()',
        );
        figures['PostgreSQL: connections'] = rows.length;
        // Their own memory holds prepared statements, plans and what they know of tables.
        figures['PostgreSQL: MB of a connection'] = Math.max(...rows.map(({ pid }) => ownMegabytes(pid)));
      }
      return figures;
    },
    async close() {
      redis?.disconnect();
      await pool?.end();
      for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true });
    },
  };
}

async function memoryOf(folder: string, pid: number): Promise<{ heapUsed: number; rss: number }> {
  const file = path.join(folder, String(pid));
  process.kill(pid, 'SIGUSR2');
  // The process may not have written its report to the end.
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  const found = await vi.waitFor(read, { timeout: 60_000, interval: 20 });
  rmSync(file);
  return found;
}

function ownMegabytes(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}

/** How much a figure grew over the later half of the time, by the line through its values that fits best. */
export function growth(series: readonly Figures[], name: string): number {
  const values = series.slice(Math.floor(series.length / 2)).map((figures) => figures[name] ?? 0);
  const last = values.length - 1;
  const sum = (of: (value: number, across: number) => number) =>
    values.reduce((so, value, i) => so + of(value, i - last / 2), 0);
  return last === 0 ? 0 : (last * sum((value, across) => value * across)) / sum((_, across) => across ** 2);
}
