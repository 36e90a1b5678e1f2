import { readFileSync, writeFileSync } from 'node:fs';
import { accessMatrix } from '../api/openapi/access-matrix.ts';
import { describeApi } from '../api/openapi/document.ts';
import { readConfig } from '../core/config.ts';

// npm run docs:access: brings the table of docs/administrator/security.md up to date.
const file = new URL('../docs/administrator/security.md', import.meta.url);
writeFileSync(file, withMatrix(readFileSync(file, 'utf8')));

/** The page with the table that the code says it has. */
function withMatrix(page: string): string {
  const matrix = accessMatrix(describeApi(readConfig({})));
  return page.replace(
    /(<!-- access matrix:.*-->\n)[\s\S]*(<!-- end of)/,
    (_, begin, end) => `${begin}\n${matrix}\n\n${end}`,
  );
}
