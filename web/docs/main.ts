import { byId, fill, h } from '../shared/dom.ts';
import { showPublicHeader } from '../shared/frame.ts';
import { startRouter, type View } from '../shared/router.ts';
import { chapterView } from './chapter.ts';
import { chapters } from './chapters.ts';
import { referenceView } from './reference.ts';

showPublicHeader('/docs');
window.addEventListener('hashchange', showChapters);
showChapters();

startRouter(
  byId('content'),
  [
    [/^\/$/, () => chapterView(chapters[0], undefined)],
    [/^\/reference(?:\/(\w+))?$/, (operation) => referenceView(operation)],
    [/^\/([\w.-]+)(?:\/([\w-]+))?$/, (name, section) => chapterOr404(name as string, section)],
  ],
  'covermap',
);

function chapterOr404(name: string, section: string | undefined): View {
  const chapter = chapters.find((one) => one.name === name);
  return chapter
    ? chapterView(chapter, section)
    : {
        title: 'Nothing here',
        element: h(
          'main',
          { class: 'stack' },
          h('h1', {}, 'There is no such chapter'),
          h('p', {}, h('a', { href: '#/' }, 'To the guide')),
        ),
      };
}

/** The list of chapters, with the sections of the one that is open. */
function showChapters(): void {
  const [, open = '', section] = location.hash.slice(1).split('/');
  const current = open === '' ? chapters[0].name : open;
  const item = (name: string, title: string, sections: readonly { id: string; title: string }[] = []) =>
    h(
      'li',
      {},
      h('a', { href: `#/${name}`, 'aria-current': name === current && (section ? 'true' : 'page') }, title),
      name === current && sections.length > 1
        ? h(
            'ul',
            {},
            ...sections.map(({ id, title }) =>
              h(
                'li',
                {},
                h('a', { href: `#/${name}/${id}`, 'aria-current': id === section && 'page' }, title),
              ),
            ),
          )
        : null,
    );
  fill(
    byId('chapters'),
    h(
      'ul',
      {},
      ...chapters.map(({ name, title, sections }) => item(name, title, sections)),
      item('reference', 'Reference'),
    ),
  );
}
