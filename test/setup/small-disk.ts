import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type SmallDisk = Awaited<ReturnType<typeof mountSmallDisk>>;

/** Why tests of full disks are skipped here; undefined where a file system can be mounted, for which it takes root. */
export const noSmallDisk = ((): string | undefined => {
  if (process.platform !== 'linux') return 'a small file system is mounted on Linux only';
  const { status, stderr } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `no file system can be mounted: ${stderr?.trim()}`;
})();

/** Mounts a file system of a few megabytes. It goes with this process, however that ends: a shell holds it until its standard input closes. */
export async function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-small-'));
  const script =
    'mount -t tmpfs -o "size=$1m,mode=0777" tmpfs "$0" && echo mounted && { read -r _; umount -l "$0"; rmdir "$0"; }';
  const holder = spawn('sh', ['-c', script, folder, String(megabytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C goes to the whole group of a terminal: it is to outlive the tests by the time it needs.
    detached: true,
  });
  const ended = once(holder, 'exit');
  const [said] = await Promise.race([once(holder.stdout, 'data'), ended]);
  if (String(said).trim() !== 'mounted') throw new Error(`no file system could be mounted on ${folder}`);
  const ballast = path.join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (let size = 1 << 20; size >= 1; size = Math.floor(size / 16)) writeUntilFull(file, size);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async remove() {
      holder.stdin.end();
      await ended;
    },
  };
}

function writeUntilFull(file: number, size: number): void {
  try {
    for (const bytes = Buffer.alloc(size, 'x'); ; ) if (writeSync(file, bytes) < size) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
