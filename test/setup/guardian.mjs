// Holds the servers that the tests started. When its standard input closes, because the tests are over or because
// their process died, it stops the servers and removes their folder. A line on it, as `0 SIGKILL`, is for one server: a
// signal, or `start`. It answers each with a line: the id of the server's process, or `ended`.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { folder, commands } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const start = ({ file, args, log, uid, gid }) => {
  const output = openSync(log, 'a');
  return spawn(file, args, { stdio: ['ignore', output, output], cwd: folder, uid, gid });
};
const servers = commands.map(start);
const isOver = (server) => server.exitCode !== null || server.signalCode !== null;
const end = (server, signal) =>
  new Promise((resolve) => {
    if (isOver(server)) return resolve();
    server.once('exit', resolve);
    // One that was frozen can hear again.
    thaw(server);
    server.kill(signal);
  });

/** PostgreSQL's server is a process for each connection, and more. */
function signalAll(server, signal) {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  for (const pid of [server.pid, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
const thaw = (server) => signalAll(server, 'SIGCONT');

async function obey(line) {
  const [number, word] = line.split(' ');
  if (word === 'start') {
    if (isOver(servers[number])) servers[number] = start(commands[number]);
  } else if (word === 'SIGSTOP' || word === 'SIGCONT') signalAll(servers[number], word);
  else await end(servers[number], word);
  console.log(isOver(servers[number]) ? 'ended' : servers[number].pid);
}
let obeyed = Promise.resolve();
createInterface({ input: process.stdin }).on('line', (line) => {
  obeyed = obeyed.then(() => obey(line));
});

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await Promise.all(
    servers.map((server) => {
      setTimeout(() => server.kill('SIGKILL'), 5000).unref();
      // SIGINT: PostgreSQL ends its sessions and stops at once ("fast shutdown"); Redis just stops.
      return end(server, 'SIGINT');
    }),
  );
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

process.stdin.on('end', stop).on('error', stop);
// Whoever waited for the answer has died.
process.stdout.on('error', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
