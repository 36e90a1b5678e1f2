import { writeFileSync } from 'node:fs';
import { openEmbeddedDatabase } from '../core/database/embedded/embedded.ts';
import { migrate } from '../core/database/migrate.ts';
import { describeSchema } from '../core/database/schema.ts';

// npm run schema: writes the schema of all migrations to docs/schema.sql, so that the effect of a new one is a diff.
const database = await openEmbeddedDatabase('memory://');
await migrate(database);
writeFileSync(new URL('../docs/schema.sql', import.meta.url), await describeSchema(database));
await database.close();
