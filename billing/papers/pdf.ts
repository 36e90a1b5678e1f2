import PDFDocument from 'pdfkit';
import type { Paper, PaperFact, PaperSum, PaperTable } from './paper.ts';
import { linesOf, runsOf, type Weight, widthOf } from './typeset.ts';

/* A paper on A4. Distances in points. */

const page = { width: 595.28, height: 841.89, side: 45, top: 48, bottom: 62 };
const inner = page.width - 2 * page.side;
const right = page.width - page.side;
const leading = 1.4;
const ink = '#16202c';
const soft = '#5a6472';
const rule = '#c9ced6';
/** Lines of a cell, beyond which it would not fit a page. */
const maxLines = 40;

interface Style {
  size: number;
  weight?: Weight;
  colour?: string;
}

/** A text broken into lines. */
interface Block extends Required<Style> {
  lines: string[];
}

/** Writes a paper. The same paper makes the same bytes: dates are its own. */
export async function writePdf(paper: Paper): Promise<Buffer> {
  const sheet = new Sheet(paper);
  sheet.header();
  sheet.facts();
  const [first, ...others] = paper.tables;
  if (first) sheet.table(first);
  for (const note of paper.notes) sheet.note(note);
  for (const table of others) sheet.table(table);
  return sheet.end();
}

class Sheet {
  readonly #paper: Paper;
  readonly #document: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  #y = page.top;

  constructor(paper: Paper) {
    this.#paper = paper;
    const date = new Date(`${paper.day}T00:00:00Z`);
    this.#document = new PDFDocument({
      // pdfkit would open Helvetica, which is embedded nowhere.
      ...{ size: 'A4', margin: 0, font: null as unknown as string, bufferPages: true, lang: 'en-NZ' },
      displayTitle: true,
      info: {
        Title: `${paper.title}, ${paper.recipient}`,
        Author: paper.issuer.name,
        Creator: 'covermap',
        Producer: 'covermap',
        CreationDate: date,
        ModDate: date,
      },
    });
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  header(): void {
    const { title, about, issuer } = this.#paper;
    const half = inner / 2 - 12;
    const left = [
      block(title, half, { size: 20, weight: 'bold' }),
      block(about, half, { size: 10, colour: soft }),
    ];
    const lines = [issuer.address, issuer.gst_number && `GST number ${issuer.gst_number}`].filter(Boolean);
    const ofIssuer = [
      block(issuer.name, half, { size: 11, weight: 'bold' }),
      ...lines.map((line) => block(line, half, { size: 9.5 })),
    ];
    const ends = [this.#column(left, page.side), this.#column(ofIssuer, right, true)];
    this.#y = Math.max(...ends) + 22;
  }

  facts(): void {
    const [first, ...others] = this.#paper.facts;
    this.#line(this.#y);
    this.#y += 10;
    const wide = inner * 0.4;
    const perRow = Math.min(3, others.length);
    const narrow = (inner - wide) / Math.max(1, perRow);
    let y = this.#y;
    let bottom = first ? this.#fact(first, page.side, wide - 14) : y;
    for (let at = 0; at < others.length; at += perRow) {
      this.#y = y;
      const row = others.slice(at, at + perRow);
      y = Math.max(...row.map((fact, n) => this.#fact(fact, page.side + wide + n * narrow, narrow - 10))) + 6;
      bottom = Math.max(bottom, y - 6);
    }
    this.#line(bottom + 8);
    this.#y = bottom + 26;
  }

  #fact({ name, value, more = [] }: PaperFact, x: number, width: number): number {
    return this.#column(
      [
        block(name, width, { size: 8, colour: soft }),
        block(value, width, { size: 9.5, weight: 'bold' }),
        ...more.map((line) => block(line, width, { size: 9.5 })),
      ],
      x,
    );
  }

  table({ heading, columns, rows, sums }: PaperTable): void {
    const size = 9.5;
    const cells = (columns.length > 0 ? columns : [{ name: '' }, { name: '', numeric: true }]).map(
      (column, at) => ({
        ...column,
        width: column.numeric
          ? Math.max(
              widthOf(column.name, 8, 'bold'),
              ...rows.map((row) => widthOf(row[at] ?? '', size, 'regular')),
            ) + 14
          : 0,
      }),
    );
    const free = inner - cells.reduce((sum, { width }) => sum + width, 0);
    const texts = cells.filter(({ numeric }) => !numeric);
    // The last of several texts is the one with sentences.
    texts.forEach((cell, at) => {
      const given = texts.length === 1 ? 1 : at === texts.length - 1 ? 0.5 : 0.5 / (texts.length - 1);
      cell.width = Math.max(40, free * given);
    });
    const head = cells.map(({ name, width }) =>
      block(name, width - 8, { size: 8, weight: 'bold', colour: soft }),
    );
    const row = (blocks: Block[]) => {
      let x = page.side;
      const ends = blocks.map((one, at) => {
        const { width, numeric } = cells[at] as (typeof cells)[number];
        const end = this.#column([one], numeric ? x + width : x, numeric);
        x += width;
        return end;
      });
      this.#y = Math.max(...ends) + 5;
      this.#line(this.#y);
      this.#y += 5;
    };
    const heads = () => {
      if (columns.length > 0) row(head);
    };
    if (heading) {
      const title = block(heading, inner, { size: 11, weight: 'bold' });
      this.#y += 18;
      this.#need(heightOf(title) + 3 * 24);
      this.#y = this.#column([title], page.side) + 6;
    }
    this.#need(3 * 24);
    heads();
    for (const values of rows) {
      const blocks = values.map((value, at) => block(value, (cells[at]?.width ?? 40) - 8, { size }));
      if (this.#need(Math.max(...blocks.map(heightOf)) + 10)) heads();
      row(blocks);
    }
    this.#sums(sums);
  }

  /** Sums stay together. */
  #sums(sums: readonly PaperSum[]): void {
    if (sums.length === 0) return;
    this.#need(sums.length * 20 + 12);
    this.#y += 4;
    for (const { name, value, isTotal } of sums) {
      const style: Style = isTotal ? { size: 12, weight: 'bold' } : { size: 9.5 };
      if (isTotal) {
        this.#line(this.#y, ink, right - 250);
        this.#y += 6;
      }
      const end = this.#column([block(name, inner - 110, style)], right - 100, true);
      this.#column([block(value, 100, style)], right, true);
      this.#y = end + 4;
    }
  }

  note(text: string): void {
    const one = block(text, inner, { size: 9.5 });
    this.#y += 16;
    this.#need(heightOf(one));
    this.#y = this.#column([one], page.side);
  }

  /** The numbers of the pages, and the file. */
  async end(): Promise<Buffer> {
    const document = this.#document;
    const { title, recipient } = this.#paper;
    const { count } = document.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      document.switchToPage(at);
      this.#y = page.height - 38;
      const style: Style = { size: 8, colour: soft };
      this.#column(
        [
          {
            ...block(`${title}, ${recipient}`, inner - 90, style),
            lines: linesOf(`${title}, ${recipient}`, inner - 90, 8, 'regular').slice(0, 1),
          },
        ],
        page.side,
      );
      this.#column([block(`Page ${at + 1} of ${count}`, 80, style)], right, true);
    }
    const ended = new Promise((resolve) => document.once('end', resolve));
    document.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }

  /** Begins a page where a height does not fit this one. @returns true where it began one */
  #need(height: number): boolean {
    if (this.#y + height <= page.height - page.bottom || this.#y === page.top) return false;
    this.#document.addPage();
    this.#y = page.top;
    return true;
  }

  #line(y: number, colour = rule, from = page.side): void {
    this.#document.lineWidth(colour === ink ? 1.2 : 0.6).strokeColor(colour);
    this.#document.moveTo(from, y).lineTo(right, y).stroke();
  }

  /** Draws blocks below one another. @param x their left, or their right edge @returns where they end */
  #column(blocks: readonly Block[], x: number, isRight = false): number {
    let y = this.#y;
    for (const { lines, size, weight, colour } of blocks) {
      for (const line of lines) {
        this.#draw(line, isRight ? x - widthOf(line, size, weight) : x, y + size, size, weight, colour);
        y += size * leading;
      }
    }
    return y;
  }

  #draw(line: string, x: number, baseline: number, size: number, weight: Weight, colour: string): void {
    const document = this.#document;
    document.fillColor(colour).fontSize(size);
    for (const run of runsOf(line, weight)) {
      const { text, face, level } = run;
      document.registerFont(face.name, face.font as never);
      document.font(face.name);
      const features = face.features as unknown as PDFKit.Mixins.OpenTypeFeatures[];
      const print = () =>
        document.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features });
      // What is copied of shaped scripts, and of boxes, are the characters that they stand for.
      if (!run.actual && (level % 2 === 1 || (face.isPlain && hasAll(run)))) print();
      else this.#said(run.actual ?? text, print);
      x += document.widthOfString(text, { features });
    }
  }

  /** Marks what is printed with its characters: within the text's own coordinates, by which readers place them. */
  #said(actual: string, print: () => void): void {
    const document = this.#document;
    const add = document.addContent;
    document.addContent = (data) => {
      if (data === 'BT') document.markContent('Span', { actual });
      add.call(document, data);
      if (data === 'ET') document.endMarkedContent();
      return document;
    };
    print();
    document.addContent = add;
  }
}

const hasAll = ({ text, face }: ReturnType<typeof runsOf>[number]): boolean =>
  [...text].every((character) => face.font.hasGlyphForCodePoint(character.codePointAt(0) as number));

function block(text: string, width: number, { size, weight = 'regular', colour = ink }: Style): Block {
  return { lines: linesOf(text, width, size, weight).slice(0, maxLines), size, weight, colour };
}

const heightOf = ({ lines, size }: Block): number => lines.length * size * leading;
