import { administer, usage } from './admin/commands.ts';
import { delegateOrRun } from './delegate.ts';
import { runCommand } from './run.ts';

await runCommand(usage, async (words) => {
  const texts = delegateOrRun<string>('admin', words, async function* (application) {
    yield await administer(application, words);
  });
  for await (const text of texts) console.log(text);
  return 0;
});
