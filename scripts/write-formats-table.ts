import { readFileSync, writeFileSync } from 'node:fs';
import { formatsTable } from '../ingest/read/formats.ts';

// npm run docs:formats: brings the table of docs/operator/coverage-files.md up to date.
const file = new URL('../docs/operator/coverage-files.md', import.meta.url);
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(
    /(<!-- formats:.*-->\n)[\s\S]*(<!-- end of formats -->)/,
    (_, begin, end) => `${begin}\n${formatsTable()}\n\n${end}`,
  ),
);
