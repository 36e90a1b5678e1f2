import { openMailSender } from '../../mail/sender.ts';
import { readConfig } from '../../platform/config.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { createLogger } from '../../platform/logger.ts';

/* Sends e-mails in a process of its own, as a worker does, until SIGTERM. */

const config = readConfig();
const database = await openDatabase(config);
if (!config.mail) throw new Error('no mail server');
const sender = await openMailSender({ database, logger: createLogger('silent') }, config.mail, 50);
process.once('SIGTERM', async () => {
  await sender.close();
  await database.close();
});
