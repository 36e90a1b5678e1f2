import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the project. */
export const root = path.join(import.meta.dirname, '../..');

export const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The packages of the workspace. */
export const packageFolders = readdirSync(path.join(root, 'packages'), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => `packages/${name}`);

/** The folders of what runs on a server. Of packages, their tests do not. */
export const serverFolders = [
  ...[
    'access',
    'addresses',
    'api',
    'billing',
    'commands',
    'coverage',
    'ingest',
    'mail',
    'platform',
    'registry',
    'workers',
  ],
  ...packageFolders.filter((folder) => folder !== 'packages/testing'),
];

/** The sources in TypeScript of what runs on a server, or of these folders. */
export const sourcesIn = (...folders: string[]) =>
  filesIn(...(folders.length > 0 ? folders : serverFolders)).filter(
    (file) => file.endsWith('.ts') && !/^packages\/[^/]+\/(test|node_modules)\//.test(file),
  );

/** All that is in these folders of it, and in folders within them. */
export const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
