// npm run build: builds the sources into dist/. A build of the same sources is kept, so that callers may always run this first. Any number of
// processes may do so at once.
// node tools/build.mjs [programs] [pages]: both where none is named.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const hourMs = 3_600_000;

/** The maker of each part, given its folder, and the sources of the part: files, folders, and variables of the environment. */
export const parts = {
  programs: {
    script: 'tools/build-programs.ts',
    sources: [
      'access',
      'addresses',
      'api',
      'billing',
      'mail',
      'commands',
      'coverage',
      'ingest',
      'packages',
      'platform',
      'registry',
      'workers',
      'tools/build-programs.ts',
      'package-lock.json',
    ],
    variables: [],
  },
  pages: {
    script: 'web/build/main.ts',
    // The pages call the API with the client; the documentation's page is built from docs/ and the other files here.
    sources: [
      'web',
      'client/client.ts',
      'client/pace.ts',
      'client/README.md',
      'docs',
      'CHANGELOG.md',
      'billing/invoice-facts.ts',
      'billing/money.ts',
      'platform/config.ts',
      'platform/config-variables.ts',
      'platform/csv-line.ts',
      'platform/nz-time.ts',
      'package-lock.json',
    ],
    variables: ['SERVICE_AREA'],
  },
};
/** Parts of folders that no build reads. */
const ignored = /(^|[\\/])(node_modules|generated|images|test|\.[^\\/]*)([\\/]|$)/;

/** Builds parts that are missing or outdated, in parallel. @throws Error where one fails */
export async function build(names = Object.keys(parts)) {
  const building = names.map(async (name) => {
    const { script, sources, variables } = parts[name];
    const place = path.join(root, 'dist', name);
    const digest = () => digestOf(root, sources, variables);
    const make = async (folder) => {
      // Standard output belongs to the command.
      console.error(`Building the ${name} ...`);
      const words = ['--import', 'tsx', script, folder];
      const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 2, 2] });
      const [status] = await once(child, 'exit');
      if (status !== 0) throw new Error(`The ${name} could not be built.`);
    };
    // Sources saved during the build may be in it or not.
    while (!isMadeOf(place, digest())) await putInPlace(place, digest(), make);
  });
  // A failure leaves no other build running.
  for (const { reason } of await Promise.allSettled(building)) if (reason) throw reason;
}

/** The digest of files and folders, their names included, and of variables. */
export function digestOf(root, sources, variables) {
  const digest = createHash('sha256');
  for (const name of variables) digest.update(`${name}=${process.env[name] ?? ''}\0`);
  for (const name of sources) {
    const whole = path.join(root, name);
    const inner = statSync(whole).isDirectory()
      ? readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((one) => !ignored.test(one))
      : [''];
    for (const file of inner.sort().map((one) => path.join(whole, one))) {
      if (statSync(file).isDirectory()) continue;
      const bytes = readFileSync(file);
      digest.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes);
    }
  }
  return digest.digest('hex');
}

/** True for a folder built from sources with this digest. */
export function isMadeOf(place, digest) {
  const madeOf = path.join(place, 'made-of');
  return existsSync(madeOf) && readFileSync(madeOf, 'utf8') === digest;
}

/** Makes a folder beside its place and moves it there whole, unless another process has done so meanwhile. */
export async function putInPlace(place, digest, make) {
  const beside = path.dirname(place);
  mkdirSync(beside, { recursive: true });
  // Remains of killed builds.
  for (const name of readdirSync(beside).filter((one) => one.startsWith('.'))) {
    const left = path.join(beside, name);
    const at = statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (at < Date.now() - hourMs) rmSync(left, { recursive: true, force: true });
  }
  const fresh = path.join(beside, `.${path.basename(place)}-${randomUUID()}`);
  const former = `${fresh}-former`;
  try {
    mkdirSync(fresh);
    await make(fresh);
    writeFileSync(path.join(fresh, 'made-of'), digest, { flush: true });
    if (isMadeOf(place, digest)) return;
    if (existsSync(place)) renameSync(place, former);
    renameSync(fresh, place);
  } catch (error) {
    // Another process has just done the same.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  } finally {
    for (const folder of [fresh, former]) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const names = process.argv.slice(2);
    await build(names.length > 0 ? names : undefined);
  } catch (error) {
    console.error(`${error.message} Without dist/ nothing runs.`);
    process.exit(1);
  }
}
