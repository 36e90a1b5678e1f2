import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the project. */
export const root = path.join(import.meta.dirname, '../..');

export const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** All that is in these folders of it, and in folders within them. */
export const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
