// Holds the servers that the tests started. When its standard input closes, because the tests are over or because
// their process died, it stops the servers and removes their folder.
import { spawn } from 'node:child_process';
import { openSync, readFileSync, rmSync } from 'node:fs';

const { folder, commands } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const servers = commands.map(({ file, args, log, uid, gid }) => {
  const output = openSync(log, 'a');
  return spawn(file, args, { stdio: ['ignore', output, output], cwd: folder, uid, gid });
});

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve) => {
          if (server.exitCode !== null || server.signalCode !== null) return resolve();
          server.once('exit', resolve);
          // SIGINT: PostgreSQL ends its sessions and stops at once ("fast shutdown"); Redis just stops.
          server.kill('SIGINT');
          setTimeout(() => server.kill('SIGKILL'), 5000).unref();
        }),
    ),
  );
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

process.stdin.on('end', stop).on('error', stop).resume();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
