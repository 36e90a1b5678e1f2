import { openApplication } from '../commands/application.ts';
import { importAddressesAndFollow } from '../commands/import-addresses.ts';
import { childPeakMb, forgetPeak, peakMb, spent } from './measure.ts';

// Imports lists of addresses in a process of its own, in sequence. Arguments: the files. Prints a list of `AddressesImported` as JSON.
const application = await openApplication();
const all: object[] = [];
for (const file of process.argv.slice(2)) {
  let [readerMb, taken] = [0, 0];
  forgetPeak();
  const watch = setInterval(() => {
    readerMb = Math.max(readerMb, childPeakMb());
  }, 200);
  // The servers are outside this process.
  const took = await spent(async () => {
    for await (const step of importAddressesAndFollow(application, { file, options: {} }))
      if ('outcome' in step) taken = step.outcome.taken;
  }, process.ppid);
  clearInterval(watch);
  all.push({ ...took, taken, readerMb, importerMb: peakMb(process.pid) });
}
await application.close();
console.log(JSON.stringify(all));
