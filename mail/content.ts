/* What an e-mail says, once: text and HTML are made of it. */

/** A paragraph; a table of facts; a link to a page of the service, by its path. */
export type Block = string | { facts: [label: string, value: string][] } | { link: string; label: string };

/** The subject and blocks of a message. */
export interface Content {
  subject: string;
  blocks: Block[];
}

const maxSubject = 180;

/** Controls, line breaks, and what turns the direction of a text for what follows it: nothing of these belongs in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Text of other people as a part of a sentence: on one line, whatever its script, isolated from the direction of what is around it. */
export function plain(text: string, max = 200): string {
  const line = text.toWellFormed().replace(unsafe, ' ').trim();
  const letters = [...line];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : line;
}

/** The content without anything unsafe, and with a subject of bounded length. */
export const cleaned = ({ subject, blocks }: Content): Content => ({
  subject: plain(subject, maxSubject),
  blocks: blocks.map((block) => {
    if (typeof block === 'string') return plain(block, 2000);
    if ('link' in block) return { link: block.link, label: plain(block.label) };
    return { facts: block.facts.map(([label, value]) => [plain(label), plain(value, 500)]) };
  }),
});

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

/** @param origin of the service's pages, as `https://coverage.example.nz`; without it links are named only */
export function asText(blocks: readonly Block[], origin: string | undefined): string {
  const parts = blocks.map((block) => {
    if (typeof block === 'string') return block;
    if ('link' in block) return origin ? `${block.label}: ${origin}${block.link}` : block.label;
    return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

/** As {@link asText}. Nothing of it is loaded from anywhere. */
export function asHtml(subject: string, blocks: readonly Block[], origin: string | undefined): string {
  const parts = blocks.map((block) => {
    if (typeof block === 'string') return `<p dir="auto">${escaped(block)}</p>`;
    if ('link' in block) {
      const label = escaped(block.label);
      return `<p>${origin ? `<a href="${escaped(origin + block.link)}">${label}</a>` : label}</p>`;
    }
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><th align="left" style="padding:2px 16px 2px 0;font-weight:normal;color:#5a6472">${escaped(label)}</th><td dir="auto" style="padding:2px 0">${escaped(value)}</td></tr>`,
    );
    return `<table role="presentation" cellspacing="0">${rows.join('')}</table>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:16px;font:16px/1.5 sans-serif;color:#16202c;max-width:40em">
${parts.join('\n')}
</body></html>
`;
}
