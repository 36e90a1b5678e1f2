import { writeFileSync } from 'node:fs';
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded.ts';
import { migrate } from '../platform/database/migrate.ts';
import { describeSchema } from '../platform/database/schema.ts';

// npm run schema: writes the schema of all migrations to docs/schema.sql, so that the effect of a new one is a diff.
const database = await openEmbeddedDatabase('memory://');
await migrate(database);
writeFileSync(new URL('../docs/schema.sql', import.meta.url), await describeSchema(database));
await database.close();
