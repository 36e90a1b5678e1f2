import { readConfig } from '../platform/config.ts';
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded.ts';
import { writeTemplate } from '../platform/database/embedded/template.ts';
import { migrate } from '../platform/database/migrate.ts';
import { migrateQueue } from '../platform/queue.ts';

// npm run template: writes the migrated database that first starts unpack. Needed after an upgrade of PGlite or PostGIS; a new migration in it makes
// them a little faster.
const database = await openEmbeddedDatabase('memory://');
await migrate(database);
await migrateQueue(readConfig({}), database);
await writeTemplate(database);
await database.close();
