import { h } from '../shared/dom.ts';
import type { View } from '../shared/router.ts';
import type { Chapter } from './chapters.ts';
import { codeTabs } from './code.ts';

/** The addresses in the examples of the pages are those of a start on somebody's own machine. */
const exampleOrigins = /http:\/\/(?:127\.0\.0\.1|localhost):3000/g;

/** @param section the heading to begin at */
export function chapterView({ title, html }: Chapter, section: string | undefined): View {
  const element = h('main', { class: 'prose' });
  // Made of this project's own pages when the page was built.
  element.innerHTML = html.replace(exampleOrigins, location.origin);
  groupExamples(element);
  if (section) {
    const heading = element.querySelector<HTMLElement>(`[id="${CSS.escape(section)}"]`);
    // After the router has put the chapter in place.
    requestAnimationFrame(() => {
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
      heading?.scrollIntoView({ block: 'start' });
    });
  }
  return { title, element };
}

const languages: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' };

/** Examples that follow each other in several languages become one with tabs; every example can be copied. */
function groupExamples(article: HTMLElement): void {
  const isExample = (element: Element | null | undefined): element is HTMLElement =>
    element?.tagName === 'PRE' && (element as HTMLElement).dataset.language !== undefined;
  for (const first of [...article.querySelectorAll<HTMLElement>('pre[data-language]')]) {
    if (!first.isConnected && !article.contains(first)) continue;
    const group = [first];
    for (let next = first.nextElementSibling; isExample(next); next = next.nextElementSibling)
      group.push(next);
    const samples = group.map((pre) => {
      const language = pre.dataset.language as string;
      const isAlone = group.length === 1;
      return { label: isAlone ? '' : (languages[language] ?? language), source: pre.textContent ?? '' };
    });
    first.replaceWith(codeTabs(samples));
    for (const pre of group.slice(1)) pre.remove();
  }
}
