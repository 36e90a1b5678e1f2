import type { Page } from '../build/markdown.ts';

export interface Chapter extends Page {
  /** In the address. */
  name: string;
}

/** The pages of docs/, by their paths there, turned into HTML by the build. */
const pages = import.meta.glob<Page>(['./{user,operator,administrator}/*.md', './errors.md'], {
  base: '../../docs',
  eager: true,
  import: 'default',
});

function chapter(path: string): Chapter {
  const name = path.replace(/^.*\//, '');
  const page = pages[`./${path}.md`];
  if (!page) throw new Error(`docs/${path}.md is not there.`);
  return { name: name === 'api-guide' ? 'guide' : name, ...page };
}

const readerPaths = {
  'API consumers': [
    'user/api-guide',
    'user/bulk',
    'user/tiles',
    'user/from-1.0-to-2.0',
    'user/registry',
    'user/account-page',
    'user/billing',
    'errors',
    'user/terms',
  ],
  Operators: [
    'operator/operator-page',
    'operator/coverage-files',
    'operator/report',
    'operator/operator-api',
    'operator/uploads',
    'operator/tower-data',
  ],
  Administrators: [
    'administrator/administrator-guide',
    'administrator/monitoring',
    'administrator/backup',
    'administrator/configuration',
    'administrator/security',
    'administrator/staff-page',
    'administrator/billing-operations',
    'administrator/billing-api',
    'administrator/registry-operations',
  ],
};

/** The pages of docs/ by reader. The first is shown at /docs. */
export const readers = Object.entries(readerPaths).map(([reader, paths]) => ({
  reader,
  chapters: paths.map(chapter),
}));
export const chapters = readers.flatMap((group) => group.chapters) as [Chapter, ...Chapter[]];
