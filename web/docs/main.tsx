import { Fragment, render } from 'preact';
import { path } from '../shared/address.ts';
import { PublicHeader } from '../shared/ui/header.tsx';
import { Router, type Routes } from '../shared/ui/router.tsx';
import { useTitle } from '../shared/ui/view.tsx';
import { ChapterView } from './chapter.tsx';
import { chapters, readers } from './chapters.ts';
import { ReferenceView } from './reference.tsx';

const routes: Routes = [
  [/^\/$/, () => <ChapterView chapter={chapters[0]} section={undefined} />],
  [/^\/reference(?:\/(\w+))?$/, (operation) => <ReferenceView operation={operation} />],
  [
    /^\/([\w.-]+)(?:\/([\w-]+))?$/,
    (name, section) => <NamedChapter name={name as string} section={section} />,
  ],
];

const reference = {
  reader: 'Every operation',
  chapters: [{ name: 'reference', title: 'Reference', sections: [] }],
};

const place = (id: string) => document.getElementById(id) as HTMLElement;
render(<PublicHeader current="/docs" />, place('header'));
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

/** The chapters by reader, with the sections of the one that is open. */
function Chapters() {
  const [, open = '', section] = path.value.split('/');
  const current = open === '' ? chapters[0].name : open;
  return (
    <ul>
      {[...readers, reference].map(({ reader, chapters }) => (
        <Fragment key={reader}>
          <li class="reader">{reader}</li>
          {chapters.map(({ name, title, sections }) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name !== current ? undefined : section ? 'true' : 'page'}>
                {title}
              </a>
              {name === current && sections.length > 1 && (
                <ul>
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
  );
}
