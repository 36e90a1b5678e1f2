import { expect } from 'vitest';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A scrape as Prometheus would read it: samples, each of a metric that is described before it. */
export function readScrape(text: string): Sample[] {
  const types = new Map<string, string>();
  const described = new Set<string>();
  const samples: Sample[] = [];
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      expect(described.has(name), `${name} is described twice`).toBe(false);
      described.add(name);
    } else if (kind === 'TYPE') types.set(name, rest);
    else samples.push(readSample(line));
  }
  for (const { name } of samples) {
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    expect(types.has(family), `${name} has a type`).toBe(true);
    // The naming conventions of Prometheus: base units, and _total for counters alone.
    expect(family).toMatch(/^[a-z][a-z0-9_]*$/);
    if (!family.startsWith('nodejs_') && !family.startsWith('process_')) {
      expect(family.endsWith('_total'), family).toBe(types.get(family) === 'counter');
    }
    expect(family).not.toMatch(/_(ms|milliseconds|minutes|kb|mb)(_|$)/);
  }
  return samples;
}

function readSample(line: string): Sample {
  const [, name = '', labelled = '', value = ''] =
    /^([a-zA-Z_][a-zA-Z0-9_]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  expect(name, line).not.toBe('');
  const labels = [...labelled.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)];
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  // prom-client writes it so for a mean of nothing yet; Prometheus reads it in any case.
  expect(Number.isNaN(number) && value.toLowerCase() !== 'nan', line).toBe(false);
  return { name, labels: Object.fromEntries(labels.map(([, key, text]) => [key, text])), value: number };
}

/** The sum of a metric's samples that have these labels; undefined where there is none. */
export function sampleValue(samples: Sample[], name: string, labels: Record<string, string> = {}) {
  const found = samples.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** The value of a metric that a process tells now; 0 where it has none. */
export async function metricOf({ url }: { url: string }, name: string, labels?: Record<string, string>) {
  return sampleValue(readScrape(await (await fetch(`${url}/metrics`)).text()), name, labels) ?? 0;
}
