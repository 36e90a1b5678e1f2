import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOrInstall, which } from './debian.ts';

/** The text of a PDF file as another program reads it, page by page. @throws where Poppler's programs are missing and cannot be installed */
export function textOfPdf(bytes: Uint8Array): string {
  const program = findOrInstall(() => which('pdftotext'), ['poppler-utils'], 'pdftotext is');
  if (!program.includes('/')) throw new Error(program);
  const folder = mkdtempSync(path.join(tmpdir(), 'covermap-pdf-'));
  try {
    const file = path.join(folder, 'paper.pdf');
    writeFileSync(file, bytes);
    return execFileSync(program, ['-layout', file, '-'], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first page of a PDF file as a picture, for the documentation. */
export function pictureOfPdf(bytes: Uint8Array): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'covermap-pdf-'));
  try {
    const file = path.join(folder, 'paper.pdf');
    writeFileSync(file, bytes);
    return execFileSync('pdftoppm', ['-png', '-singlefile', '-r', '72', file], { maxBuffer: 10_000_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
