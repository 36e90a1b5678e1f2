import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { root } from './project.ts';

/* The sources, to be changed as somebody would who adds something. */

/** A copy of the folders and files of these names; what is not copied is not needed, or linked. */
export class CopyOfTree {
  readonly folder = scratchFolder();

  /** @param isCopied by the path in the project, such as `web/staff` */
  constructor(names: readonly string[], isCopied: (name: string) => boolean = () => true) {
    for (const name of names)
      cpSync(path.join(root, name), path.join(this.folder, name), {
        recursive: true,
        filter: (file) => isCopied(path.relative(root, file)),
      });
    for (const name of readdirSync(root))
      if (!names.includes(name) && !name.startsWith('.'))
        symlinkSync(path.join(root, name), path.join(this.folder, name));
  }

  /** Adds a file. */
  write(name: string, text: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Replaces the first of a text. @throws Error where there is none */
  replace(name: string, text: string, by: string): void {
    const source = readFileSync(path.join(this.folder, name), 'utf8');
    if (!source.includes(text)) throw new Error(`${name} has no ${text}`);
    this.write(name, source.replace(text, by));
  }

  /** Runs Node in the copy. @returns what it prints */
  run(args: readonly string[], env: Record<string, string> = {}): string {
    const options = { cwd: this.folder, encoding: 'utf8', env: { ...process.env, ...env } } as const;
    return execFileSync(process.execPath, args, options);
  }
}
