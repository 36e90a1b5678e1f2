// Runs before what serves the pages: builds them where that was not done yet, or not since they were changed. Every
// other run costs a look at the dates of some thirty files.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const builtFor = new URL('../web/dist/built-for.txt', import.meta.url);

if (process.argv.includes('--always') || isOutOfDate()) {
  console.log('Building the pages ...');
  const build = spawnSync(process.execPath, ['--import', 'tsx', 'web/build/main.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (build.status !== 0) {
    console.error('The pages could not be built; the message is above. Without them everything else works.');
    // Only who asked for the pages is told by the exit status: lookups do not need them.
    if (process.argv.includes('--always')) process.exit(build.status ?? 1);
  }
}

function isOutOfDate() {
  const built = statSync(builtFor, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined || readFileSync(builtFor, 'utf8') !== (process.env.SERVICE_AREA ?? '')) return true;
  return sources().some((file) => statSync(file).mtimeMs > built);
}

function sources() {
  const web = readdirSync(new URL('../web/', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
    .filter((file) => !/[\\/]web[\\/](dist|generated)/.test(file));
  // The pages ask the API with the client, and the documentation's page is made of docs/ and what else is read there.
  const client = ['client/client.ts', 'client/schema.ts', 'client/README.md', 'CHANGELOG.md'].map(
    (name) => new URL(`../${name}`, import.meta.url),
  );
  const docs = readdirSync(new URL('../docs/', import.meta.url), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => new URL(`../docs/${name}`, import.meta.url));
  return [...web, ...client, ...docs, new URL('../package-lock.json', import.meta.url)];
}
