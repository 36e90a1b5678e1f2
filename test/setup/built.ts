import type { TestProject } from 'vitest/node';
import { build } from '../../tools/build.mjs';

/** Builds pages, commands and threads from the sources under test, again before each rerun of watched tests. */
export default async function setup(project: TestProject): Promise<void> {
  const isAlone = ['unit', 'exhaustive'].includes(project.name);
  const parts: ('pages' | 'programs')[] = isAlone ? ['programs'] : ['pages', 'programs'];
  await build(parts);
  project.onTestsRerun(() => build(parts));
}
