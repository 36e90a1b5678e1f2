import { readConfig } from '../platform/config.ts';
import { openStorage } from '../platform/storage/open.ts';
import { flag, optionLines, readPathArgument } from './arguments.ts';
import { countOf } from './backup/manifest.ts';
import { restoreBackup } from './backup/restore.ts';
import { runCommand } from './run.ts';

const table = {
  'keep-files': flag('take files that UPLOAD_DIR or the bucket still has, and store the others'),
};

const usage = `Usage: npm run restore -- <folder> [--keep-files]

Restores a backup into an empty database and an empty UPLOAD_DIR or bucket, while the service is stopped. The backup is checked first;
either all of it is restored or nothing. With DATABASE_URL, it needs pg_restore.

${optionLines(table)}`;

await runCommand(usage, async (words) => {
  const { file: folder, given } = readPathArgument(words, usage, table, 'folder');
  process.umask(0o077);
  const config = readConfig();
  const storage = await openStorage(config);
  const { made_at, files } = await restoreBackup(config, storage, folder, given['keep-files']);
  console.log(`Restored the backup of ${made_at}, with ${countOf(files)}.`);
  return 0;
});
