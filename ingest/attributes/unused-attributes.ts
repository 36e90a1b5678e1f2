import type { SourceAttributes, SourceLayer } from '@covermap/coverage-files/format.ts';
import { maxOfSubject, type Subject, type Taken, type WatchedAttribute } from './contradictions.ts';
import { maxTexts, subjectOfValues } from './subject-of-values.ts';
import type { KnownTechnology } from './words.ts';

/* Watches the values of unused attributes: they may describe the offer although their names do not. */

/** Further attributes of a layer are not watched. */
const maxAttributes = 200;
/** An attribute is judged after this many pairs of text and offer at the latest. */
const maxPairs = 1000;

interface Watching {
  /** The indexes of the attributes. */
  unused: readonly number[];
  technologies: readonly KnownTechnology[];
  /** Tells if an attribute may answer a subject. */
  isOpen(subject: Subject, field: number): boolean;
  /** Receives the text of features whose attribute is about a subject, and their taken offer. */
  onText(attribute: WatchedAttribute, text: string, taken: Taken, features: number): void;
}

type Layer = Pick<SourceLayer, 'fields' | 'kinds'>;

/** Watches the unused attributes of a layer. For each subject, the first few that are about it count. */
export function unusedAttributes(layer: Layer, watching: Watching) {
  const found = new Map<Subject, number>();
  function isOpen(subject: Subject, field: number): boolean {
    const before = found.get(subject) ?? 0;
    if (before >= maxOfSubject || !watching.isOpen(subject, field)) return false;
    found.set(subject, before + 1);
    return true;
  }
  let open = watching.unused
    .slice(0, maxAttributes)
    .map((field) => watchValues(layer, field, { ...watching, isOpen }));
  return {
    observe(attributes: SourceAttributes, taken: Taken): void {
      let isOver = false;
      for (const one of open) if (!one.observe(attributes, taken)) isOver = true;
      if (isOver) open = open.filter((one) => one.isOpen());
    },
    /** Judges attributes of few texts. To be called after the last feature. */
    end(): void {
      for (const one of open) one.end();
    },
  };
}

function watchValues({ fields, kinds }: Layer, field: number, { technologies, isOpen, onText }: Watching) {
  const name = fields[field] as string;
  const kind = kinds?.[field];
  /** The number of features by text and offer; undefined once the attribute is judged. */
  let counts: Map<string, Map<Taken, number>> | undefined = new Map();
  let pairs = 0;
  /** The attribute with its subject, once judged; undefined where it has none. */
  let judged: WatchedAttribute | undefined;

  function judge(texts: Map<string, Map<Taken, number>>): void {
    counts = undefined;
    const subject = subjectOfValues({ name, kind, texts: texts.keys() }, technologies);
    if (!subject || !isOpen(subject, field)) return;
    judged = { subject, field, name, about: 'likely', kind };
    for (const [text, offers] of texts)
      for (const [taken, features] of offers) onText(judged, text, taken, features);
  }

  function count(texts: Map<string, Map<Taken, number>>, text: string, taken: Taken): void {
    const offers = texts.get(text) ?? new Map<Taken, number>();
    texts.set(text, offers);
    const features = offers.get(taken) ?? 0;
    offers.set(taken, features + 1);
    if (features === 0) pairs++;
    if (texts.size >= maxTexts || pairs >= maxPairs) judge(texts);
  }

  return {
    isOpen: () => counts !== undefined || judged !== undefined,
    /** @returns false if further features change nothing */
    observe(attributes: SourceAttributes, taken: Taken): boolean {
      const text = attributes.text(field);
      if (text === null || text.trim() === '') return true;
      if (judged) onText(judged, text, taken, 1);
      else if (counts) count(counts, text, taken);
      return this.isOpen();
    },
    end(): void {
      if (counts) judge(counts);
    },
  };
}
