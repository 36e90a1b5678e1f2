import { readerProgram } from '../ingest/reader-program.ts';

// Part of npm run build, for programs that may not write to their own folder: what reads uploaded files, made to start quickly.
await readerProgram();
