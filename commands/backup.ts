import path from 'node:path';
import { readConfig } from '../core/config.ts';
import { openDatabase } from '../core/database/open.ts';
import { CovermapError } from '../core/errors.ts';
import { openStorage } from '../core/storage/open.ts';
import { makeBackup } from './backup/make.ts';
import { askRunning } from './control.ts';
import { runCommand } from './run.ts';

const usage = `Usage: npm run backup -- <folder>

Copies the database and the stored files into a new or empty folder, while the service runs. docs/administrator/backup.md says what
is in it. With DATABASE_URL, it needs pg_dump.`;

// npm run backup -- <folder>
await runCommand(usage, async ([folder, ...more]) => {
  if (!folder || more.length > 0) throw new CovermapError('usage', 'Name one folder.', `\n${usage}`);
  const target = path.resolve(folder);
  process.umask(0o077);
  const config = readConfig();
  const running = config.databaseUrl
    ? undefined
    : await askRunning<BackupOutcome>(config.dataDir, 'backup', { folder: target });
  if (running) {
    for await (const outcome of running) report(outcome, target);
    return 0;
  }
  const database = await openDatabase(config);
  try {
    const manifest = await makeBackup({ config, database, storage: await openStorage(config) }, target);
    report({ files: manifest.files.length, missing: manifest.missing }, target);
  } finally {
    await database.close();
  }
  return 0;
});

interface BackupOutcome {
  files: number;
  missing: string[];
}

function report({ files, missing }: BackupOutcome, target: string): void {
  console.log(`Backed up the database and ${files === 1 ? '1 file' : `${files} files`} to ${target}.`);
  if (missing.length > 0)
    console.log(`Missing in the storage, though rows name them: ${missing.join(', ')}.`);
}
