import { readConfig } from '../core/config.ts';
import { openEmbeddedDatabase } from '../core/database/embedded/embedded.ts';
import { writeTemplate } from '../core/database/embedded/template.ts';
import { migrate } from '../core/database/migrate.ts';
import { migrateQueue } from '../core/queue.ts';

// npm run template: writes the migrated database that first starts unpack. Needed after an upgrade of PGlite or PostGIS; a new migration in it makes
// them a little faster.
const database = await openEmbeddedDatabase('memory://');
await migrate(database);
await migrateQueue(readConfig({}), database);
await writeTemplate(database);
await database.close();
