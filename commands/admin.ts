import { statSync } from 'node:fs';
import path from 'node:path';
import { administer, usage } from './admin/commands.ts';
import { delegateOrRun } from './delegate.ts';
import { runCommand } from './run.ts';

/** Names of files are those of this process, and the command may run in another. */
const wholePath = (word: string) =>
  statSync(word, { throwIfNoEntry: false })?.isFile() ? path.resolve(word) : word;

await runCommand(usage, async (given) => {
  const words = given.map((word, i) => (i > 1 && given[0] === 'regions' ? wholePath(word) : word));
  const texts = delegateOrRun<string>('admin', words, async function* (application) {
    yield await administer(application, words);
  });
  for await (const text of texts) console.log(text);
  return 0;
});
