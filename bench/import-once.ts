import { openApplication } from '../commands/application.ts';
import { importAndFollow } from '../commands/import-register.ts';

// One import of a register. Prints a line of JSON.
const application = await openApplication();
const started = performance.now();
const call = { file: process.argv[2] ?? '', changesOnly: false, acceptGone: false };
for await (const step of importAndFollow(application.database, call)) {
  if (!('outcome' in step)) continue;
  if (step.outcome.state === 'refused') throw new Error(JSON.stringify(step.outcome.faults));
}
const seconds = (performance.now() - started) / 1000;
await application.close();
console.log(JSON.stringify({ seconds }));
