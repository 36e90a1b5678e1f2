// Runs before every npm script that needs dependencies, on Node alone: installs them in a fresh clone and after a change of the lock file; every
// other run costs two `stat` calls a folder.
// node tools/install-missing.mjs [folder ...]: folders with a lock file; the project itself where none is named.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`covermap needs Node 20.19 or later; this is ${process.version}. See https://nodejs.org.`);
  process.exit(1);
}

const folders = process.argv.slice(2);
for (const name of folders.length > 0 ? folders : ['.']) install(name);

function install(name) {
  const folder = new URL(`../${name}/`, import.meta.url);
  const changedAt = (file) => statSync(new URL(file, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return;
  console.log(`Installing the dependencies${name === '.' ? '' : ` of ${name}`} (npm ci) ...`);
  // `npm pack --dry-run` is to install for what it only rehearses.
  const { npm_config_dry_run: _, ...env } = process.env;
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    ...{ cwd: folder, env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('npm ci failed; its message is above.');
    process.exit(npm.status ?? 1);
  }
}
