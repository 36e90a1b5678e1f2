import { Marked } from 'marked';
import type { Plugin } from 'vite';

/** What importing a page of docs/ gives. */
export interface Page {
  html: string;
  /** Its first heading. */
  title: string;
  /** Its headings of the second level. */
  sections: { id: string; title: string }[];
}

/** Turns pages of docs/ into HTML: links between chapters become addresses of /docs, images are served with it. */
export const markdown: Plugin = {
  name: 'markdown',
  transform(text, id) {
    if (!id.endsWith('.md')) return undefined;
    const { images, ...page } = pageOf(text);
    const imports = images.map((file, i) => `import image${i} from ${JSON.stringify(`./${file}?url`)};`);
    const html = images.reduce(
      (made, file, i) => `${made}.replaceAll(${JSON.stringify(imageMark(file))}, image${i})`,
      JSON.stringify(page.html),
    );
    return {
      code: `${imports.join('\n')}\nexport default { ...${JSON.stringify({ ...page, html: '' })}, html: ${html} };`,
      map: null,
    };
  },
};

/** @returns the page, and the pictures that are in it, each by a mark for the address that the build gives it */
export function pageOf(text: string): Page & { images: string[] } {
  const sections: Page['sections'] = [];
  let pageTitle = '';
  const images: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        const id = slugOf(title);
        if (depth === 1) pageTitle ||= title;
        if (depth === 2) sections.push({ id, title: title.replaceAll('`', '') });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text: code, lang }) {
        return `<pre data-language="${lang ?? ''}"><code>${escaped(code)}</code></pre>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const isHeaded = token.header.some(({ text: cell }) => cell.trim() !== '');
        const head = isHeaded ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : '';
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${head.replaceAll('<th></th>', '<td></td>')}<tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        // Of the pages above the folders of readers only that of errors is served.
        const page =
          /^(?:\.\.\/(?=errors\.md|\w+\/))?(?:(?:user|operator|administrator)\/)?([\w.-]+)\.md(?:#([\w-]+))?$/.exec(
            href,
          );
        if (page)
          return `<a href="#/${chapterOf[page[1] as string] ?? page[1]}${page[2] ? `/${page[2]}` : ''}">${inner}</a>`;
        // Files of the repository and pages for developers are not served.
        return /^(https?:|#)/.test(href) ? `<a href="${escaped(href)}">${inner}</a>` : inner;
      },
      image({ href, text: alt }) {
        if (!images.includes(href)) images.push(href);
        return `<img src="${imageMark(href)}" alt="${escaped(alt)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, title: pageTitle, sections, images };
}

const imageMark = (file: string) => `[picture ${file}]`;

/** Chapters whose address is not the name of their page. */
const chapterOf: Record<string, string> = { 'api-guide': 'guide' };

/** As GitHub makes them. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
