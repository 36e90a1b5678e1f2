import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A new folder, which goes with the test file or the group that asks for it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
