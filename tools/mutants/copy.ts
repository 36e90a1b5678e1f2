import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVitest, type TestSpecification } from 'vitest/node';
import { instrument, type Mutant } from './mutators.ts';

export const root = path.join(import.meta.dirname, '../..');

/** Tests of the sources' texts, in which a switch is a fault. */
const readsSources = /^test\/unit\/(architecture|docs)\.test\.ts$/;

/** A run of the tests of a fault takes a minute or two. While learning, one takes many. */
const runLimitMs = 120_000;

interface Ran {
  /** A failed test, or all tests of a dead worker. */
  noticedBy: string | undefined;
  failed: string[];
  seconds: Record<string, number>;
}

/** The tree with faults in it, at most one of them active, and the tests that run there. */
export class Copy {
  readonly sources: string[];
  readonly tests: string[];
  readonly #folder: string;
  /** The folder that the tests' processes share: the active fault, and the reached ones. */
  readonly #told: string;

  readonly #texts = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#told = path.join(path.dirname(folder), 'told');
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file && existsSync(path.join(root, file)));
    this.sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
    this.tests = files.filter(
      (file) =>
        /^(test\/(unit|service)|packages\/[^/]+\/test)\/.*\.test\.ts$/.test(file) && !readsSources.test(file),
    );
    for (const file of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      copyFileSync(path.join(root, file), path.join(folder, file));
      if (file.endsWith('.ts')) this.#texts.set(file, readFileSync(path.join(folder, file), 'utf8'));
    }
    // Its own packages, not those of the tree.
    const installed = readdirSync(path.join(root, 'node_modules')).filter((name) => name !== '@covermap');
    const installedThere = installed.map((name) => `node_modules/${name}`);
    for (const made of [...installedThere, 'client/node_modules', 'dist/pages']) {
      mkdirSync(path.dirname(path.join(folder, made)), { recursive: true });
      if (existsSync(path.join(root, made))) symlinkSync(path.join(root, made), path.join(folder, made));
    }
    symlinkSync('../packages', path.join(folder, 'node_modules/@covermap'));
    for (const name of ['reached', 'worker']) mkdirSync(path.join(this.#told, name), { recursive: true });
    writeFileSync(path.join(folder, 'mutant-switch.mjs'), switchText(this.#told));
    writeFileSync(path.join(folder, 'mutant-setup.mjs'), setupText(this.#told));
  }

  /** Replaces files by versions with switches. @param chosen of these mutants only */
  async instrument(files: string[], chosen?: Set<string>): Promise<Mutant[]> {
    const all: Mutant[] = [];
    for (const file of this.sources) {
      const original = this.textOf(file);
      if (!files.includes(file)) {
        writeFileSync(path.join(this.#folder, file), original);
        continue;
      }
      const { content, mutants } = await instrument(file, original, chosen);
      const own = path.relative(path.dirname(file), 'mutant-switch.mjs');
      const numbered = content.replace(/(?<=stry(?:MutAct|Cov)_9fa48\()"[^)]*(?=\))/g, (ids) =>
        ids.replace(/\d+/g, (id) => `${all.length + Number(id)}`),
      );
      const switches = `import { cover, isActive } from './${own}';\nstryCov_9fa48 = cover; stryMutAct_9fa48 = isActive;\n`;
      writeFileSync(path.join(this.#folder, file), mutants.length > 0 ? switches + numbered : original);
      all.push(...mutants);
    }
    this.#numbers = new Map(all.map(({ id }, i) => [id, i]));
    this.#ids = all.map(({ id }) => id);
    return all;
  }
  #numbers = new Map<string, number>();
  #ids: string[] = [];

  /** Affects processes that start later. @param what a mutant's id, or `learn` */
  activate(what: string): void {
    writeFileSync(path.join(this.#told, 'active'), String(this.#numbers.get(what) ?? what));
  }

  /** Mutants that a test file reached, while `learn` was active. */
  reachedBy(test: string): string[] {
    const file = path.join(this.#told, 'reached', encodeURIComponent(test));
    if (!existsSync(file)) return [];
    const numbers = new Set(readFileSync(file, 'utf8').trimEnd().split('\n').map(Number));
    return [...numbers].flatMap((number) => this.#ids[number] ?? []);
  }

  /** A source or test without faults, as it was when the copy was made: the tree may change meanwhile. */
  textOf(file: string): string {
    return this.#texts.get(file) ?? '';
  }

  linesOf(file: string): string[] {
    const lines = this.#lines.get(file) ?? this.textOf(file).split('\n');
    this.#lines.set(file, lines);
    return lines;
  }
  readonly #lines = new Map<string, string[]>();

  original({ fileName, location: { start, end } }: Mutant): string {
    const lines = this.linesOf(fileName).slice(start.line, end.line + 1);
    lines.push((lines.pop() ?? '').slice(0, end.column));
    return lines.join('\n').slice(start.column);
  }

  /** Starts the servers of the tests, and runs the tests any number of times, each in new processes. */
  async withTests(
    options: { bail: number },
    use: (run: (tests: string[]) => Promise<Ran>) => Promise<void>,
  ): Promise<void> {
    process.chdir(this.#folder);
    let { vitest, specifications, nameOf, setOrder } = await this.#start(options);
    try {
      await use(async (tests) => {
        setOrder(tests);
        vitest.state.filesMap.clear();
        const wanted = specifications.filter(({ moduleId }) => tests.includes(nameOf(moduleId)));
        const limitMs = options.bail > 0 ? runLimitMs : 20 * runLimitMs;
        const ran = await Promise.race([vitest.runTestSpecifications(wanted), this.#hangs(limitMs)]);
        if (!ran) {
          // The leash ends the processes that are left of it.
          vitest.close().catch(() => undefined);
          ({ vitest, specifications, nameOf, setOrder } = await this.#start(options));
          return { failed: tests, noticedBy: 'a run that did not end', seconds: {} };
        }
        const { testModules, unhandledErrors } = ran;
        const failed = testModules
          .filter((one) => one.state() === 'failed')
          .map(({ moduleId }) => nameOf(moduleId));
        const seconds = testModules.map((one) => [nameOf(one.moduleId), one.diagnostic().duration / 1000]);
        const died = unhandledErrors.length > 0 ? 'a process that ended' : undefined;
        return { failed, noticedBy: failed[0] ?? died, seconds: Object.fromEntries(seconds) };
      });
    } finally {
      await vitest.close();
      process.exitCode = 0;
    }
  }

  /** Resolves once a process was ended in an endless loop, for which vitest would wait for ever, or after all this time. */
  async #hangs(limitMs: number): Promise<undefined> {
    const ended = path.join(this.#told, 'endless');
    rmSync(ended, { force: true });
    for (const deadline = Date.now() + limitMs; Date.now() < deadline && !existsSync(ended); )
      await sleep(500, undefined, { ref: false });
  }

  async #start(options: { bail: number }) {
    const vitest = await createVitest('test', {
      ...options,
      ...{
        root: this.#folder,
        watch: false,
        project: ['unit', 'exhaustive', 'server', 'long'],
        maxWorkers: 2,
        reporters: [{}],
        silent: true,
      },
      ...{ testTimeout: 30_000, hookTimeout: 30_000, experimental: { fsModuleCache: false } },
    });
    let order: string[] = [];
    const nameOf = (moduleId: string) => path.relative(this.#folder, moduleId);
    vitest.config.sequence.sequencer = class {
      sort = (specs: TestSpecification[]) =>
        specs.sort((a, b) => order.indexOf(nameOf(a.moduleId)) - order.indexOf(nameOf(b.moduleId)));
      shard = (specs: TestSpecification[]) => specs;
      // biome-ignore lint/suspicious/noExplicitAny: Vitest's type wants promises, and takes none
    } as any;
    for (const project of vitest.projects)
      project.config.setupFiles = [path.join(this.#folder, 'mutant-setup.mjs')];
    const specifications = await vitest.globTestSpecifications();
    const setOrder = (tests: string[]) => {
      order = tests;
    };
    return { vitest, specifications, nameOf, setOrder };
  }
}

/** The module that all processes and threads of the tests import, also in builds. Files tell it, as the reader of files has an empty environment. */
const switchText = (told: string) => `
const fs = process.getBuiltinModule('node:fs');
const told = ${JSON.stringify(told)};
const read = (name) => { try { return fs.readFileSync(told + '/' + name, 'utf8'); } catch { return ''; } };
const active = read('active');
const learns = active === 'learn';
const state = (globalThis.mutantsReached ??= { test: process.env.MUTANTS_TEST, seen: new Set() });
export const isActive = (id) => id === active;
export const cover = learns ? reach : () => {};
function reach(id) {
  if (state.seen.has(id)) return;
  state.seen.add(id);
  const test = state.test ?? read('worker/' + process.ppid);
  if (test) fs.appendFileSync(told + '/reached/' + test, id + '\\n');
}
`;

/** Runs before each test file: records the test of this process, and ends one that does not end. */
const setupText = (told: string) => `
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect } from 'vitest';
const told = ${JSON.stringify(told)};
const test = encodeURIComponent(path.relative(import.meta.dirname, expect.getState().testPath));
process.env.MUTANTS_TEST = test;
fs.writeFileSync(told + '/worker/' + process.pid, test);
globalThis.mutantsReached = Object.assign(globalThis.mutantsReached ?? {}, { test, seen: new Set() });
await globalThis.mutantsWatch?.terminate();
const limit = fs.readFileSync(told + '/active', 'utf8') === 'learn' ? 300_000 : 50_000;
const end = 'require("node:fs").writeFileSync(' + JSON.stringify(told + '/endless') + ', ""); process.kill(process.pid, "SIGKILL");';
globalThis.mutantsWatch = new Worker('setTimeout(() => {' + end + '}, ' + limit + ')', { eval: true });
globalThis.mutantsWatch.unref();
`;
