import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatsTable } from '@covermap/coverage-files/formats.ts';
import { accessMatrix } from '../api/openapi/access-matrix.ts';
import { describeApi } from '../api/openapi/document.ts';
import { readConfig } from '../platform/config.ts';
import { variables } from '../platform/config-variables.ts';
import { errorCatalogue, statusOf } from '../platform/error-catalogue.ts';

// npm run docs:access, docs:config, docs:errors, docs:formats: updates the generated part of a page.
// node --import tsx tools/write-docs.ts <part>

/** The pages with a part between `<!-- <name>: made by ... -->` and `<!-- end of <name> -->`, and its generator. */
const parts = {
  access: { page: 'administrator/security.md', make: () => accessMatrix(describeApi(readConfig({}))) },
  config: { page: 'administrator/configuration.md', make: variableTables },
  errors: { page: 'errors.md', make: errorSections },
  formats: { page: 'operator/coverage-files.md', make: formatsTable },
};
export const partNames = Object.keys(parts) as (keyof typeof parts)[];

/** A page as it is, and as the code generates it. */
export function pageWith(name: keyof typeof parts) {
  const { page, make } = parts[name];
  const file = new URL(`../docs/${page}`, import.meta.url);
  const present = readFileSync(file, 'utf8');
  const part = new RegExp(`(<!-- ${name}: .*-->\n)[^]*(?=<!-- end of ${name} -->)`);
  return { file, present, wanted: present.replace(part, (_, begin) => `${begin}\n${make()}\n\n`) };
}

function variableTables(): string {
  const tables = Object.entries(variables).map(([title, group]) => {
    const rows = Object.entries(group).map(
      ([name, { otherwise, help }]) => `| \`${name}\` | ${otherwise} | ${help} |`,
    );
    return [`## ${title}\n`, '| variable | default; min to max | |', '| --- | --- | --- |', ...rows].join(
      '\n',
    );
  });
  return tables.join('\n\n');
}

function errorSections(): string {
  const groups = Object.entries(errorCatalogue).map(([title, errors]) => [
    `## ${title}`,
    ...(title === 'Files' ? ['A submission fails with these; they stand in its `error`.'] : []),
    ...Object.entries(errors).map(([code, { message, hint }]) => {
      const status = statusOf(code);
      return `### \`${code}\`\n\n${message}${status === undefined ? '' : ` HTTP ${status}.`} ${hint}`;
    }),
  ]);
  return groups.flat().join('\n\n');
}

const asked = partNames.find((name) => name === process.argv[2]);
if (process.argv[1] === fileURLToPath(import.meta.url) && asked) {
  const { file, wanted } = pageWith(asked);
  writeFileSync(file, wanted);
}
