import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { root } from '../setup/project.ts';

/* deploy/release.sh: an upgrade while the service runs. npm is one of the test's own: it says what is current meanwhile. */

const home = scratchFolder();
const checkout = path.join(home, 'checkout');
const tools = path.join(home, 'tools');
const current = path.join(home, 'current');
const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, HOME: home };

function run(program: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: checkout, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** @param npm the lines of the program, where `$1` is `ci` or `run` */
function useNpm(npm: string): void {
  writeFileSync(path.join(tools, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(path.join(tools, 'npm'), 0o755);
}

function commit(text: string): string {
  writeFileSync(path.join(checkout, 'program'), text);
  run('git', 'add', '.');
  run('git', '-c', 'user.name=Test', '-c', 'user.email=test@covermap.example', 'commit', '-m', text);
  return run('git', 'rev-parse', '--short=12', 'HEAD').output.trim();
}

const makeRelease = (...words: string[]) => run('deploy/release.sh', ...words);
/** What the link shows while a release is made, from a new process: `current` as npm found it. */
const works = 'echo "$1 $(cat ../../current/program 2>/dev/null || echo nothing)"; touch "made-by-$1"';

test('a release is made in a folder of its own, and is current once it is whole', () => {
  mkdirSync(tools);
  mkdirSync(path.join(checkout, 'deploy'), { recursive: true });
  spawnSync('cp', [path.join(root, 'deploy/release.sh'), path.join(checkout, 'deploy')]);
  run('git', 'init');
  useNpm(works);
  const first = commit('one');
  expect(makeRelease()).toEqual({
    status: 0,
    output: `ci nothing\nrun nothing\n${current} is ${first}\n`,
  });
  expect(readlinkSync(current)).toBe(`releases/${first}`);
  const running = realpathSync(current);
  const second = commit('two');
  useNpm('[ "$1" = ci ] || exit 3');
  // A build that fails changes nothing, and the next attempt begins afresh.
  expect(makeRelease().status).toBe(3);
  expect(readlinkSync(current)).toBe(`releases/${first}`);
  useNpm(works);
  const others = (commit: string) => `Other releases, to remove once nothing runs from them: ${commit} \n`;
  expect(makeRelease().output).toBe(`ci one\nrun one\n${current} is ${second}\n${others(first)}`);
  expect(readlinkSync(current)).toBe(`releases/${second}`);
  expect(readdirSync(running).sort()).toEqual(['deploy', 'made-by-ci', 'made-by-run', 'program']);
  // Back to a release that is whole: nothing is made.
  expect(makeRelease(first).output).toBe(`${current} is ${first}\n${others(second)}`);
  // Another run has made the same release meanwhile.
  const third = commit('three');
  useNpm(`[ "$1" = ci ] || { mkdir ../${third} && touch ../${third}/other; }`);
  expect(makeRelease()).toMatchObject({ status: 0 });
  expect(readdirSync(path.join(home, 'releases')).sort()).toEqual([first, second, third].sort());
  expect(readdirSync(realpathSync(current))).toEqual(['other']);
  expect(readdirSync(home).sort()).toEqual(['checkout', 'current', 'releases', 'tools']);
});
