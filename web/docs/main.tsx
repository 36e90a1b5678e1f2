import { useSignal } from '@preact/signals';
import { Fragment, render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { path } from '../shared/address.ts';
import { set } from '../shared/field-value.ts';
import { PublicHeader } from '../shared/ui/header.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Router, type Routes } from '../shared/ui/router.tsx';
import { useTitle } from '../shared/ui/view.tsx';
import { ChapterView } from './chapter.tsx';
import { chapters, readers } from './chapters.ts';
import { ReferenceView } from './reference.tsx';
import { SearchField, SearchView } from './search-view.tsx';

const routes: Routes = [
  [/^\/$/, () => <ChapterView chapter={chapters[0]} section={undefined} />],
  [/^\/search$/, () => <SearchView />],
  [/^\/reference(?:\/(\w+))?$/, (operation) => <ReferenceView operation={operation} />],
  [
    /^\/([\w.-]+)(?:\/([\w-]+))?$/,
    (name, section) => <NamedChapter name={name as string} section={section} />,
  ],
];

const reference = { name: 'reference', title: 'Reference', sections: [] };
/** The chapters; the reference is a chapter of the last group. */
const menu = readers.map(({ reader, chapters }, i) => ({
  reader,
  chapters: i === readers.length - 1 ? [reference, ...chapters] : chapters,
}));

const place = (id: string) => document.getElementById(id) as HTMLElement;
render(<PublicHeader current="/docs" />, place('header'));
render(<SearchField />, place('search'));
render(<Chapters />, place('chapters'));
render(<Router routes={routes} />, place('content'));

function NamedChapter({ name, section }: { name: string; section: string | undefined }) {
  const chapter = chapters.find((one) => one.name === name);
  return chapter ? <ChapterView chapter={chapter} section={section} /> : <NothingHere />;
}

function NothingHere() {
  useTitle('Nothing here');
  return (
    <main class="stack">
      <h1>There is no such chapter</h1>
      <p>
        <a href="#/">Go to the API guide</a>
      </p>
    </main>
  );
}

/** The chapters by reader, with the sections of the one that is open. On a phone, a button opens and closes them. */
function Chapters() {
  const isOpen = useSignal(false);
  const [, open = '', section] = path.value.split('/');
  const current = open === '' ? chapters[0].name : open;
  const here = menu.flatMap((group) => group.chapters).find(({ name }) => name === current);
  useLayoutEffect(() => {
    set(isOpen, false);
  }, [path.value, isOpen]);
  return (
    <>
      <button
        type="button"
        class="button docs-menu"
        aria-expanded={isOpen.value}
        aria-controls="chapter-list"
        onClick={() => set(isOpen, !isOpen.value)}
      >
        <Icon name="menu" size={18} />
        {here?.title ?? 'Chapters'}
      </button>
      <ul id="chapter-list" class={isOpen.value ? 'bare-list open' : 'bare-list'}>
        {menu.map(({ reader, chapters }) => (
          <Fragment key={reader}>
            <li class="caption reader">{reader}</li>
            {chapters.map(({ name, title, sections }) => (
              <li key={name}>
                <a href={`#/${name}`} aria-current={name !== current ? undefined : section ? 'true' : 'page'}>
                  {title}
                </a>
                {name === current && sections.length > 1 && (
                  <ul class="bare-list">
                    {sections.map(({ id, title }) => (
                      <li key={id}>
                        <a href={`#/${name}/${id}`} aria-current={id === section ? 'page' : undefined}>
                          {title}
                        </a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </Fragment>
        ))}
      </ul>
    </>
  );
}
