import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoKey, demoPosition, demoStaffToken } from '../../commands/demo.ts';
import { clientWith } from '../setup/operator.ts';
import { endCommandProcesses, runCommandProcess, startCommand } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { mountSmallDisk, noSmallDisk } from '../setup/small-disk.ts';

/*
 * The disk of the embedded database is full, tables, log and uploads alike, and the process is killed then: what it acknowledged is there
 * once there is space, and what it refused is not.
 */

/** Room for the data, its log and some growth. */
const megabytes = 300;
/** A name of max length: some dozens fill the rest of a page. */
const nameOf = (number: number) => `${String(number).padStart(6, '0')} ${'Kauri '.repeat(30)}`.slice(0, 150);

const envOf = (folder: string) => ({ DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' });

async function start(folder: string) {
  const command = await startCommand('start', envOf(folder));
  const { lat, lng } = demoPosition;
  const position = `${command.url}/api/2.0/availability/${lat}/${lng}`;
  return {
    ...command,
    staff: clientWith(command.url, demoStaffToken),
    lookup: async () => (await fetch(position, { headers: { 'x-api-key': demoKey } })).status,
  };
}
type Running = Awaited<ReturnType<typeof start>>;

/** Creates customers until there is no space for one. @param known how many there are already @returns the ids of those that were created */
async function createUntilFull({ staff, lookup }: Running, known: number): Promise<number[]> {
  const created: number[] = [];
  for (;;) {
    const response = await staff.post('/api/staff/customers', { name: nameOf(known + created.length) });
    const body = (await response.json()) as { id: number; code?: string };
    if (response.status !== 201) {
      expect([response.status, body.code]).toEqual([507, 'storage_full']);
      expect(await lookup()).toBe(200);
      return created;
    }
    created.push(body.id);
  }
}

test.skipIf(noSmallDisk)(
  'all that was acknowledged is there after a kill on a full disk, and nothing that was refused',
  async () => {
    const disk = await mountSmallDisk(megabytes);
    onTestFinished(() => disk.remove());
    onTestFinished(endCommandProcesses);
    const acknowledged: number[] = [];
    const customers = async ({ staff }: Running) => {
      const { customers: all } = await staff.json<{ customers: { id: number }[] }>('/api/staff/customers');
      return all.map(({ id }) => id);
    };
    let service = await start(disk.folder);
    const demo = await customers(service);
    for (let round = 0; round < rounds(1, 10); round++) {
      disk.fill();
      acknowledged.push(...(await createUntilFull(service, acknowledged.length)));
      service.child.kill('SIGKILL');
      await service.ended;
      // A service that cannot start says why, without a stack trace.
      const refused = runCommandProcess('start', [], envOf(disk.folder));
      expect(await refused.ended).toBe(4);
      expect(refused.output()).toMatch(/there is no space left on a disk.*\nFree some/);
      expect(refused.output()).not.toMatch(/\n\s+at /);
      disk.free();
      service = await start(disk.folder);
      expect((await customers(service)).sort((a, b) => a - b)).toEqual(
        [...demo, ...acknowledged].sort((a, b) => a - b),
      );
      expect(await service.lookup()).toBe(200);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);
