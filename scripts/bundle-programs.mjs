// Part of npm run build, for programs that may not write to their own folder: commands and threads, made to start quickly.
import { programFile } from '../core/programs.mjs';

const file = await programFile('commands/start');
if (file.endsWith('.ts')) {
  console.error('The commands could not be bundled: they will be run from their sources.');
  process.exitCode = 1;
}
