import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/database/open.ts';
import { openStorage } from '../platform/storage/open.ts';
import { readPathArgument } from './arguments.ts';
import { makeBackup } from './backup/make.ts';
import { type BackupManifest, countOf } from './backup/manifest.ts';
import { askRunning } from './control.ts';
import { runCommand } from './run.ts';

const usage = `Usage: npm run backup -- <folder>

Copies the database and the stored files into a new or empty folder, while the service runs. docs/administrator/backup.md says what
is in it. With DATABASE_URL, it needs pg_dump.`;

await runCommand(usage, async (words) => {
  const { file: folder } = readPathArgument(words, usage, {}, 'folder');
  process.umask(0o077);
  const config = readConfig();
  const running = await askRunning<BackupManifest>(config, 'backup', { folder });
  if (running) {
    for await (const manifest of running) report(manifest, folder);
    return 0;
  }
  const database = await openDatabase(config);
  try {
    report(await makeBackup({ config, database, storage: await openStorage(config) }, folder), folder);
  } finally {
    await database.close();
  }
  return 0;
});

function report({ files, missing }: BackupManifest, folder: string): void {
  console.log(`Backed up the database and ${countOf(files)} to ${folder}.`);
  if (missing.length === 0) return;
  console.log(`Missing in the storage, though rows name them: ${missing.join(', ')}.`);
  // With other settings than the service, the command looks in a folder where none of them is.
  if (files.length === 0) console.log('See that DATA_DIR, UPLOAD_DIR or S3_BUCKET are those of the service.');
}
