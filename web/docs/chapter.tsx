import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { beginAt, useTitle } from '../shared/ui/view.tsx';
import type { Chapter } from './chapters.ts';
import { showCodeTabs } from './code-tabs.tsx';

/** The examples of the pages have the address of a local start, or of a service on the web. */
const exampleOrigins = /http:\/\/(?:127\.0\.0\.1|localhost):3000|https:\/\/covermap\.example/g;

export interface ChapterViewProps {
  chapter: Chapter;
  /** The heading to begin at. */
  section: string | undefined;
}

export function ChapterView({ chapter: { title, html }, section }: ChapterViewProps) {
  const article = useRef<HTMLElement>(null);
  const content = useMemo(() => ({ __html: html.replace(exampleOrigins, location.origin) }), [html]);
  useTitle(title);
  useLayoutEffect(() => {
    const main = article.current;
    if (!main) return;
    groupExamples(main);
    const heading = section && main.querySelector<HTMLElement>(`[id="${CSS.escape(section)}"]`);
    if (!heading) return beginAt(main.querySelector('h1'));
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: 'start' });
  }, [section]);
  // The build made this from the project's own pages.
  return <main class="prose" ref={article} dangerouslySetInnerHTML={content} />;
}

const languages: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' };

/** Examples that follow each other in several languages become one with tabs; every example can be copied. */
function groupExamples(article: HTMLElement): void {
  const hasLanguage = (element: Element | null): element is HTMLElement =>
    element?.tagName === 'PRE' && Boolean((element as HTMLElement).dataset.language);
  for (const first of [...article.querySelectorAll<HTMLElement>('pre[data-language]')]) {
    if (!article.contains(first)) continue;
    const group = [first];
    for (let last: HTMLElement = first; hasLanguage(last) && hasLanguage(last.nextElementSibling); ) {
      last = last.nextElementSibling;
      group.push(last);
    }
    const samples = group.map(({ dataset: { language = '' }, textContent }) => ({
      label: languages[language] ?? language,
      source: textContent ?? '',
    }));
    const place = document.createElement('div');
    first.replaceWith(place);
    showCodeTabs(place, samples);
    for (const pre of group.slice(1)) pre.remove();
  }
}
