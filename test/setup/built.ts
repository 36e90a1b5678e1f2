import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';

/** Commands and threads run as they are built: of the sources that are tested, also where they are edited and tested again. */
export default async function setup(project: TestProject): Promise<void> {
  await build(['programs']);
  project.onTestsRerun(() => build(['programs']));
}
