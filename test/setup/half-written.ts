import { readConfig } from '../../platform/config.ts';
import { openDatabase } from '../../platform/database/open.ts';

// Commits a row, writes another in a transaction that it leaves open, says so, and waits to be killed.

const database = await openDatabase(readConfig(process.env));
await database.query('insert into kept values (10)');
await database.transaction(async (connection) => {
  await connection.query('insert into kept values (11)');
  console.log('half written');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
