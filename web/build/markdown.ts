import path from 'node:path';
import { Marked, type TokenizerAndRendererExtension } from 'marked';
import type { Plugin } from 'vite';
import { chapterNames } from './contents.ts';

const root = path.join(import.meta.dirname, '../..');

/** The import of a page of docs/. */
export interface Page {
  html: string;
  title: string;
  /** Its headings of the second level. */
  sections: { id: string; title: string }[];
}

/** Turns the pages that are chapters into HTML: links between them become addresses of /docs, and their images are served. */
export const markdown: Plugin = {
  name: 'markdown',
  transform(text, id) {
    if (!id.endsWith('.md')) return undefined;
    const { images, ...page } = pageOf(text, path.relative(root, id).replaceAll(path.sep, '/'));
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

/** @param file its path from the root of the repository @returns the page, and its images, each by a placeholder for the address that the build gives it */
export function pageOf(text: string, file: string): Page & { images: string[] } {
  const sections: Page['sections'] = [];
  let pageTitle = '';
  const images: string[] = [];
  let isInLink = false;
  const marked = new Marked({
    extensions: [addressOfChapter],
    renderer: {
      heading({ tokens, depth, text: title }) {
        const id = slugOf(title);
        if (depth === 1) pageTitle ||= title;
        if (depth === 2) sections.push({ id, title: title.replaceAll('`', '') });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      codespan({ text: code }) {
        const shown = `<code>${escaped(code)}</code>`;
        const address = code.startsWith('/docs#/') ? code.slice('/docs'.length) : code;
        return !isInLink && isServed.test(address) ? `<a href="${escaped(address)}">${shown}</a>` : shown;
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
        return `<div class="wide box" tabindex="0" role="group" aria-label="Table"><table>${head.replaceAll('<th></th>', '<td></td>')}<tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        isInLink = true;
        const inner = this.parser.parseInline(tokens);
        isInLink = false;
        const address = addressOf(href, file);
        // Other files of the repository are not served.
        return address === undefined ? inner : `<a href="${escaped(address)}">${inner}</a>`;
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

/** Addresses of this server for people, and chapters. */
const isServed = /^(?:\/(?:docs|operator|staff|account|openapi\.json)|#\/[\w./-]*\w)$/;

/** The address of a link at /docs. @returns undefined where there is none */
function addressOf(href: string, file: string): string | undefined {
  if (/^(https?:|#\/)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const name = chapterNames.get(target === '' ? file : path.posix.join(path.posix.dirname(file), target));
  return name && `#/${name}${anchor ? `/${anchor}` : ''}`;
}

/** Texts of errors name chapters by their addresses. */
const addressOfChapter: TokenizerAndRendererExtension = {
  name: 'addressOfChapter',
  level: 'inline',
  start: (text) => text.indexOf('/docs#/'),
  tokenizer(text) {
    const [raw] = /^\/docs#\/[\w./-]*\w/.exec(text) ?? [];
    if (raw === undefined) return undefined;
    return { type: 'link', raw, href: raw.slice('/docs'.length), tokens: [{ type: 'text', raw, text: raw }] };
  },
};

/** Slugs as on GitHub. */
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
