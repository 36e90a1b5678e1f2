import type { HourCount } from '../../billing/usage-file.ts';
import { UsageSpool } from '../../billing/usage-spool.ts';

// Run with a limit to the size of files: spool-on-full-disk.ts <data folder> <process> <queries of each batch, "full">
const [dataDir, id, ...batches] = process.argv.slice(2) as [string, string, ...string[]];

/** Several megabytes: more than the disk takes. */
const tooMuch: HourCount[] = Array.from({ length: 150_000 }, (_, keyId) => ({
  keyId: keyId + 1,
  hour: 1_764_000_000_000,
  queries: 1,
}));

const spool = new UsageSpool(dataDir, id);
for (const [index, queries] of batches.entries()) {
  const counts = queries === 'full' ? tooMuch : [{ keyId: 1, hour: 0, queries: Number(queries) }];
  const outcome = await spool.add([{ sequence: index + 1, counts }]).then(
    () => 'written',
    (error: NodeJS.ErrnoException) => error.code,
  );
  console.log(outcome);
}
await spool.abandon();
