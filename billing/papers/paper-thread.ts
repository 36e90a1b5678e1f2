import { parentPort, workerData } from 'node:worker_threads';
import type { Paper } from './paper.ts';
import { writePdf } from './pdf.ts';

/* A thread that writes one paper as PDF: hundreds of lines take seconds. */

const bytes = await writePdf(workerData as Paper);
parentPort?.postMessage(bytes);
