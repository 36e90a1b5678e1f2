import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';

/** Pages, commands and threads are as they are built: of the sources that are tested, also where they are edited and tested again. */
export default async function setup(project: TestProject): Promise<void> {
  const isAlone = ['unit', 'exhaustive'].includes(project.name);
  const parts: ('pages' | 'programs')[] = isAlone ? ['programs'] : ['pages', 'programs'];
  await build(parts);
  project.onTestsRerun(() => build(parts));
}
