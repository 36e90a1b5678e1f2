import { writeFileSync } from 'node:fs';
import { variables } from '../core/config-variables.ts';

// npm run docs:config: docs/administrator/configuration.md anew, from the variables of core/config-variables.ts.

export const configurationPage = new URL('../docs/administrator/configuration.md', import.meta.url);

/** The page of all variables, a table for each group. Markdown. */
export function writeConfiguration(): string {
  const tables = Object.entries(variables).map(([title, group]) =>
    [
      `## ${title}\n`,
      '| variable | default; min to max | |',
      '| --- | --- | --- |',
      ...Object.entries(group).map(
        ([name, { otherwise, help }]) => `| \`${name}\` | ${otherwise} | ${help} |`,
      ),
    ].join('\n'),
  );
  return [introduction, ...tables].join('\n\n').concat('\n');
}

const introduction = `# Configuration

<!-- Made by npm run docs:config from the variables of the code. -->

Environment variables configure covermap. All have a default: \`npm start\` without any runs the whole system on an
embedded database. If a value cannot be used, the program does not start and names each wrong variable. Traces have
OpenTelemetry's own variables, \`OTEL_...\`: [Monitoring](monitoring.md#traces).`;

if (process.argv[1] === new URL(import.meta.url).pathname)
  writeFileSync(configurationPage, writeConfiguration());
