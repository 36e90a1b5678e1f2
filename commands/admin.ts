import { readConfig } from '../core/config.ts';
import { administer, usage } from './administer.ts';
import { openApplication } from './application.ts';
import { askRunning } from './control.ts';
import { runCommand } from './run.ts';

// npm run admin -- ...: what staff do at the terminal.
await runCommand(async () => {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    return 0;
  }
  const config = readConfig();
  const running = config.databaseUrl ? undefined : await askRunning<string>(config.dataDir, 'admin', words);
  if (running) {
    for await (const text of running) console.log(text);
    return 0;
  }
  const application = await openApplication(config);
  try {
    console.log(await administer(application, words));
    return 0;
  } finally {
    await application.close();
  }
});
