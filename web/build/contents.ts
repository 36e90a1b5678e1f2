/** A page that /docs shows as a chapter. @param file from the root of the repository @param name in the address */
const page = (file: string, name = file.replace(/^.*\//, '')) => ({ file: `${file}.md`, name });

/** The pages of /docs by reader. The first is shown first. */
export const contents = [
  {
    reader: 'API consumers',
    pages: [
      page('docs/user/api-guide', 'guide'),
      page('docs/user/get-a-key'),
      page('docs/user/addresses'),
      page('docs/user/bulk'),
      page('docs/user/tiles'),
      page('docs/user/embed'),
      page('docs/user/from-1.0-to-2.0'),
      page('client/README', 'client'),
      page('docs/user/registry'),
      page('docs/user/account-page'),
      page('docs/user/billing'),
      page('docs/errors'),
      page('docs/user/terms'),
    ],
  },
  {
    reader: 'Operators',
    pages: [
      page('docs/operator/operator-page'),
      page('docs/operator/coverage-files'),
      page('docs/operator/report'),
      page('docs/operator/operator-api'),
      page('docs/operator/uploads'),
      page('docs/operator/tower-data'),
      page('docs/propagation'),
      page('docs/developer/gdal-comparison'),
    ],
  },
  {
    reader: 'Administrators',
    pages: [
      page('docs/administrator/administrator-guide'),
      page('docs/scale'),
      page('docs/reliability'),
      page('docs/performance'),
      page('docs/administrator/monitoring'),
      page('docs/administrator/backup'),
      page('docs/administrator/configuration'),
      page('docs/administrator/security'),
      page('docs/security', 'threat-model'),
      page('docs/administrator/staff-page'),
      page('docs/administrator/month'),
      page('docs/administrator/bank'),
      page('docs/administrator/books'),
      page('docs/administrator/billing-operations'),
      page('docs/administrator/billing-api'),
      page('docs/administrator/mail'),
      page('docs/administrator/addresses', 'list-of-addresses'),
      page('docs/administrator/registry-operations'),
    ],
  },
  { reader: 'Everybody', pages: [page('CHANGELOG', 'changes')] },
];

export const chapterNames: ReadonlyMap<string, string> = new Map(
  contents.flatMap(({ pages }) => pages.map(({ file, name }) => [file, name])),
);
