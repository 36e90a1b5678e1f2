import { contents } from '../build/contents.ts';
import type { Page } from '../build/markdown.ts';

export interface Chapter extends Page {
  /** In the address. */
  name: string;
}

/** The pages that may be chapters, by their path from docs/, turned into HTML by the build. */
const pages = import.meta.glob<Page>(
  [
    './{user,operator,administrator}/*.md',
    './{errors,performance,propagation,reliability,scale,security}.md',
    './developer/gdal-comparison.md',
    '../CHANGELOG.md',
    '../client/README.md',
  ],
  { base: '../../docs', eager: true, import: 'default' },
);

function pageOf(file: string): Page {
  const page = pages[file.startsWith('docs/') ? `./${file.slice('docs/'.length)}` : `../${file}`];
  if (!page) throw new Error(`${file} is not among the pages that are built.`);
  return page;
}

export const readers = contents.map(({ reader, pages }) => ({
  reader,
  chapters: pages.map(({ file, name }): Chapter => ({ name, ...pageOf(file) })),
}));
export const chapters = readers.flatMap((group) => group.chapters) as [Chapter, ...Chapter[]];
