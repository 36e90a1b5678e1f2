import { readConfig } from '../core/config.ts';
import { migrate } from '../core/database/migrate.ts';
import { openDatabase } from '../core/database/open.ts';
import { migrateQueue } from '../core/queue.ts';
import { runCommand } from './run.ts';

// npm run migrate: brings the schema up to date. The other commands do so too, before their work.
await runCommand(async () => {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    const applied = await migrate(database);
    await migrateQueue(config, database);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.');
    return 0;
  } finally {
    await database.close();
  }
});
