// Part of npm run build, for programs that may not write to their own folder: commands and threads, made to start quickly.
import { programFile } from '../core/programs.mjs';

await programFile('commands/start');
