import { readConfig } from '../core/config.ts';
import { openStorage } from '../core/storage/open.ts';
import { readPathArgument } from './arguments.ts';
import { countOf } from './backup/manifest.ts';
import { restoreBackup } from './backup/restore.ts';
import { runCommand } from './run.ts';

const usage = `Usage: npm run restore -- <folder>

Restores a backup into an empty database and UPLOAD_DIR or the bucket, while the service is stopped. The backup is checked first;
either all of it is restored or nothing. With DATABASE_URL, it needs pg_restore.`;

await runCommand(usage, async (words) => {
  const { file: folder } = readPathArgument(words, usage, {}, 'folder');
  process.umask(0o077);
  const config = readConfig();
  const { made_at, files } = await restoreBackup(config, await openStorage(config), folder);
  console.log(`Restored the backup of ${made_at}, with ${countOf(files)}.`);
  return 0;
});
