import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';
import { findOrInstallChromium } from './chromium.ts';
import setUpEmbedded from './embedded-half.ts';
import { findOrInstallServers } from './server-binaries.ts';
import setUpServers from './server-half.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's program. */
    chromium: string;
  }
}

/**
 * Gives the tests in a browser what they stand on: the browser, the built pages, and servers, which leave the processor to
 * the browser; the embedded database where there are none.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const chromium = findOrInstallChromium();
  if (typeof chromium === 'string') throw new Error(chromium);
  project.provide('chromium', chromium.program);
  await build(['pages']);
  const hasServers = process.env.TEST_SERVERS || typeof findOrInstallServers() !== 'string';
  if (hasServers) return setUpServers(project);
  await setUpEmbedded(project);
  return undefined;
}
