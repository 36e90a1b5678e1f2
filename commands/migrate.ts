import { readConfig } from '../platform/config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open.ts';
import { migrateQueue } from '../platform/queue.ts';
import { runWithoutArguments } from './run.ts';

const usage = `Usage: npm run migrate

Brings the schema of the database up to date. The other commands do so too, before their work. It takes no arguments.`;

await runWithoutArguments(usage, async () => {
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
