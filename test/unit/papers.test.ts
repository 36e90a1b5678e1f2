import { expect, test } from 'vitest';
import { paperPage } from '../../billing/papers/html.ts';
import { type Paper, paperMoney, paperSum } from '../../billing/papers/paper.ts';
import { writePdf } from '../../billing/papers/pdf.ts';
import { linesOf, runsOf, widthOf } from '../../billing/papers/typeset.ts';
import { textOfPdf } from '../setup/poppler.ts';

/* One paper, as a page and as PDF. */

const names = {
  Māori: 'Tāne Māhuta me ōna hoa',
  Cyrillic: 'Иван Петров',
  Greek: 'Ελληνική Εταιρεία',
  Vietnamese: 'Đường Việt Nam',
  Japanese: '株式会社日本サービス',
  Korean: '한국통신',
  Arabic: 'شركة الاتصالات',
  Hebrew: 'חברת תקשורת',
  Devanagari: 'हिन्दी दूरसंचार कंपनी',
  Thai: 'บริษัทโทรคมนาคม',
  emoji: 'Kea 😀',
  'no font': '\u{10A60}\u{1D800}',
};

const paper = (descriptions: readonly string[]): Paper => ({
  title: 'Tax invoice 17',
  about: 'November 2026',
  recipient: 'Weka <b>',
  issuer: { name: 'Maps & Co', address: '1 Queen Street\nAuckland', gst_number: '123', payment: '' },
  day: '2026-12-01',
  facts: [
    { name: 'To', value: 'Weka <b>', more: ['7 Lambton Quay'] },
    { name: 'Due', value: '20 January 2027' },
  ],
  tables: [
    {
      columns: [{ name: 'Description' }, { name: 'Amount', numeric: true }],
      rows: descriptions.map((name, n) => [name, paperMoney(100_001 + n)]),
      sums: [paperSum('GST (15%)', 15_000), paperSum('Total (incl. GST)', -115_000, true)],
    },
  ],
  notes: ['Pay to 01-0123.'],
});

test.each(Object.entries(names))(
  'a name in %s is on the paper, and is copied as it was written',
  async (_, name) => {
    const text = textOfPdf(await writePdf({ ...paper([`Fee of ${name}`]), recipient: name }));
    // Readers mark what goes from right to left.
    expect(text.replace(/[\u202a-\u202e]/g, '')).toContain(`Fee of ${name}`);
  },
);

test('the page and the PDF have the same words and amounts', async () => {
  const one = paper(['Processing fee, coverage.gpkg']);
  const text = textOfPdf(await writePdf(one));
  const page = paperPage(one);
  for (const words of [
    ...['Tax invoice 17', 'November 2026', 'GST number 123', 'Auckland', '7 Lambton Quay', '20 January 2027'],
    ...[
      'Processing fee, coverage.gpkg',
      '$1,000.01',
      'GST (15%)',
      '$150.00',
      '−$1,150.00',
      'Pay to 01-0123.',
    ],
  ]) {
    expect(text, words).toContain(words);
    expect(page, words).toContain(words);
  }
  expect(text).toContain('Weka <b>');
  expect(page).toContain('Weka &lt;b&gt;');
});

test('500 lines make numbered pages, each with the heads of the table, and the same bytes each time', async () => {
  const one = paper(Array.from({ length: 500 }, (_, n) => `Line ${n + 1}. ${'word '.repeat(n % 20)}`));
  const bytes = await writePdf(one);
  const pages = textOfPdf(bytes).split('\f').slice(0, -1);
  expect(pages.length).toBeGreaterThan(15);
  for (const [at, page] of pages.entries()) expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
  const withLines = pages.filter((page) => page.includes('Line '));
  for (const page of withLines) expect(page).toMatch(/Description +Amount/);
  const numbers = pages.join('').matchAll(/Line (\d+)\./g);
  expect([...numbers].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 500 }, (_, n) => n + 1),
  );
  // The sums are on one page.
  expect(pages.filter((page) => page.includes('GST (15%)'))).toEqual(
    pages.filter((page) => page.includes('Total (incl. GST)')),
  );
  expect((await writePdf(one)).equals(bytes)).toBe(true);
});

test('a long word is broken, and no line is wider than its column', () => {
  const text = `A ${'x'.repeat(400)} / ${'株'.repeat(90)} end`;
  const lines = linesOf(text, 200, 10, 'regular');
  for (const line of lines) expect(widthOf(line, 10, 'regular')).toBeLessThanOrEqual(200);
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});

test('text from right to left stands in visual order, its brackets mirrored', () => {
  const runs = runsOf('Fee, שלום (עולם) 42.', 'regular');
  const shown = runs
    .map(({ text, level }) => (level % 2 === 1 ? [...text].reverse().join('') : text))
    .join('');
  expect(shown).toBe('Fee, 42 (םלוע) םולש.');
});
