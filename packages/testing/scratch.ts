import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Does something at the end of the test that asks for it, or else of its file or group. */
export const atEnd = (end: () => void | Promise<void>) =>
  (TestRunner.getCurrentTest() ? onTestFinished : afterAll)(end);

/** A new folder, which goes with the test that asks for it, or else with its file or group. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
