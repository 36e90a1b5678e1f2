import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { demoStaffToken } from '../../commands/demo.ts';
import { type Client, clientWith } from '../setup/operator.ts';
import { type Command, endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { mountSmallDisk, noSmallDisk, type SmallDisk } from '../setup/small-disk.ts';

/*
 * The disk of the embedded database is full, tables, log and uploads alike, and the process is killed then: what it acknowledged is there
 * once there is space, and what it refused is not.
 */

/** Room for the data, its log and some growth. */
const megabytes = 300;
/** A name of max length: some dozens fill the rest of a page. */
const nameOf = (number: number) => `${String(number).padStart(6, '0')} ${'Kauri '.repeat(30)}`.slice(0, 150);

let disk: SmallDisk | undefined;
afterAll(async () => {
  endCommandProcesses();
  await disk?.remove();
});

interface Running {
  command: Command;
  staff: Client;
  lookup(): Promise<number>;
}

const startCommand = (folder: string) =>
  runCommandProcess('start', [], { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' });

async function start(folder: string): Promise<Running> {
  const command = startCommand(folder);
  const [, address = ''] = await command.printed(/Map\s+(http:\S+)\//);
  const url = address.replace('localhost', '127.0.0.1');
  const position = `${url}/api/2.0/availability/-36.9026834/174.8075834`;
  return {
    command,
    staff: clientWith(url, demoStaffToken),
    lookup: async () => (await fetch(position, { headers: { 'x-api-key': 'demo' } })).status,
  };
}

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
    disk = await mountSmallDisk(megabytes);
    const acknowledged: number[] = [];
    const customers = async ({ staff }: Running) => {
      const { customers: all } = await staff.json<{ customers: { id: number }[] }>('/api/staff/customers');
      return all.map(({ id }) => id);
    };
    const first = await start(disk.folder);
    const demo = await customers(first);
    let service = first;
    for (let round = 0; round < rounds(1, 10); round++) {
      disk.fill();
      acknowledged.push(...(await createUntilFull(service, acknowledged.length)));
      service.command.child.kill('SIGKILL');
      await service.command.ended;
      // A service that cannot start says why, without a stack trace.
      const refused = startCommand(disk.folder);
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
    service.command.child.kill('SIGTERM');
    expect(await service.command.ended).toBe(0);
  },
);
