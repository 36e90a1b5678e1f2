import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, inject, test } from 'vitest';
import { readScrape } from '../setup/metrics.ts';
import { readText } from '../setup/project.ts';
import { useApi, useService } from '../setup/service.ts';

/* Alerts and dashboard name metrics and labels that a real scrape has; the documentation names each alert. */

const rules = readText('deploy/prometheus-rules.yml');
const dashboard = JSON.parse(readText('deploy/grafana-dashboard.json')) as {
  panels: { targets: { expr: string }[] }[];
};

const isEmbedded = inject('backend').kind === 'embedded';
const service = await useService();
// So that each metric has been used.
await service.ingest(await zippedRectangle(174.7, -36.95, 174.75, -36.9));
await service.at(-36.92, 174.72);
await service.database.query(
  `insert into release_run (scheduled_for) values (now() - interval '1 hour') on conflict do nothing`,
);
// A server is a replica of itself that is never behind.
const { databaseUrl } = service.config;
const config = { ...service.config, port: 0, databaseReadUrl: databaseUrl };
const reading = await useApi({ config }, service.database);
const samples = readScrape(await (await fetch(`${reading.url}/metrics`)).text());

/** The metrics of an expression, each with the labels that it is asked by. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:covermap|http|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', by = '']) => ({
      name,
      labels: [...by.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label]) => label as string),
    }),
  );
}

/** Labels that Prometheus adds by itself. */
const added = ['job', 'instance'];

function check(expr: string, where: string): void {
  const found = metricsIn(expr);
  expect(found.length, where).toBeGreaterThan(0);
  for (const { name, labels } of found) {
    const known = samples.filter((sample) => sample.name === name);
    expect(known.length, `${where}: ${name}`).toBeGreaterThan(0);
    for (const label of labels.filter((one) => !added.includes(one))) {
      const labelled = known.filter((sample) => label in sample.labels);
      expect(labelled, `${where}: ${name}{${label}}`).not.toEqual([]);
    }
  }
  for (const [, names = ''] of expr.matchAll(/by \(([^)]*)\)/g)) {
    for (const label of names.split(/, */)) {
      expect([...samples.flatMap((sample) => Object.keys(sample.labels)), ...added], where).toContain(label);
    }
  }
}

test('every alert is on metrics that there are, and says what it means and what to do', () => {
  const [, ...alerts] = rules.split(/^ {6}- alert: /m);
  expect(alerts.length).toBeGreaterThan(10);
  const page = readText('docs/administrator/monitoring.md');
  for (const block of alerts) {
    const name = block.slice(0, block.indexOf('\n'));
    const [, expr = ''] = /^ {8}expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels):/m.exec(block) ?? [];
    // This installation lacks the metrics of these alerts.
    if (name !== 'CovermapDown' && !(isEmbedded && name === 'CovermapReplicaNotRead')) check(expr, name);
    for (const field of ['severity', 'summary', 'description', 'action'])
      expect(block, name).toContain(`${field}: `);
    expect(page, name).toContain(`\`${name}\``);
  }
});

test('every panel of the dashboard is on metrics that there are', () => {
  const { panels } = dashboard;
  expect(panels.length).toBeGreaterThan(10);
  for (const { expr } of panels.flatMap(({ targets }) => targets)) check(expr, expr);
});

test('every metric of ours that a scrape has is in the documentation', () => {
  const page = readText('docs/administrator/monitoring.md');
  const own = samples.map(({ name }) => name).filter((name) => /^(covermap|http)_/.test(name));
  for (const name of new Set(own.map((one) => one.replace(/_(bucket|sum|count)$/, '')))) {
    const suffix = /^covermap_ingest(_(?:bytes|features|rows)_total)$/.exec(name)?.[1];
    expect(page, name).toContain(suffix === undefined ? name : `...${suffix}`);
  }
});
