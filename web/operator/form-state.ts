import { computed, signal } from '@preact/signals';
import { computedValue, type Value } from '../shared/field-value.ts';
import type { EarlierClasses, Inspection, Manifest } from '../shared/schemas.ts';
import { catalog } from './context.ts';
import {
  type Answers,
  choiceOf,
  type Description,
  describe,
  fromFile,
  problemsOf,
  questionsOf,
  tiersBy,
  toManifest,
} from './description.ts';
import type { Problems } from './meaning.ts';

export type QuestionProps = { form: FormState };

/** The state of the form about a file: its contents, the answers, and the problems. */
export type FormState = ReturnType<typeof makeFormState>;

/** @param entered earlier answers */
export function makeFormState(entered: Answers = {}) {
  const technologies = catalog().technologies.map(({ name }) => name);
  const inspection = signal<Inspection | null>(null);
  /** False while the file may still answer missing questions. */
  const isInspected = signal(false);
  /** The answers of an earlier visit. */
  const before = signal<Manifest>({});
  const answers = signal<Answers>(entered);
  const questions = computed(() => questionsOf(inspection.value, before.value));
  const description = computed(() => describe(questions.value, answers.value, technologies));
  const problems = signal<Problems>({});
  const missing = computed(() => listOf(problems.value, description.peek().speedsBy));
  /** Tables of classes of earlier files that fit this one, the newest first. */
  const earlier = signal<readonly EarlierClasses[]>([]);

  function change(changes: Answers): void {
    const shownTable = () => [description.value.speedsBy, description.value.tiers?.field].join();
    const table = shownTable();
    answers.value = { ...answers.value, ...changes };
    // The rows of another table have the same ids.
    if (shownTable() !== table) problems.value = withoutRows(problems.value);
  }

  function answer<K extends keyof Answers & keyof Description>(name: K): Value<Description[K]> {
    return computedValue(
      () => description.value[name],
      (value) => change({ [name]: value }),
    );
  }

  function field<K extends keyof Answers & keyof Description>(name: K) {
    return { name, value: answer(name), error: problems.value[name] };
  }

  /** One of the speeds or of the attributes. */
  function part<P extends 'speeds' | 'attributes', K extends keyof Description[P]>(whole: P, name: K) {
    return computedValue<Description[P][K]>(
      () => description.value[whole][name],
      (value) => change({ [whole]: { ...answers.value[whole], [name]: value } }),
    );
  }

  /** An answer for the whole file, or that each feature has its own. */
  function choice<K extends 'technology' | 'availability'>(name: K) {
    return computedValue<Description[K] | typeof fromFile>(
      () => choiceOf(description.value, name),
      (chosen) => {
        const { [name]: _, attributes: { [name]: __, ...attributes } = {}, ...others } = answers.value;
        const isKnown = Boolean(questions.value.known.attributes[name]);
        answers.value =
          chosen !== fromFile
            ? { ...others, [name]: chosen, attributes: { ...attributes, [name]: undefined } }
            : { ...others, attributes: isKnown ? attributes : { ...attributes, [name]: askedField(name) } };
      },
    );
  }

  /** The field that may answer it; '' to be chosen. */
  function askedField(name: 'technology' | 'availability'): { field: string } {
    const asked = questions.value.asked.find(({ about, attribute }) => about === name && attribute !== null);
    return { field: asked?.attribute ?? '' };
  }

  /** Maps fields of the file; null: the file has none. */
  function map(attributes: Answers['attributes'], others: Answers = {}): void {
    change({ ...others, attributes: { ...answers.value.attributes, ...attributes } });
  }

  /** Chooses a field whose texts stand for speeds. */
  function chooseTiers(field: string): void {
    const texts = questions.value.examples[field] ?? [];
    change({ tiers: tiersBy(field, texts, description.value.tiers) });
  }

  function inspected(found: Inspection | null, earlierClasses: readonly EarlierClasses[] = []): void {
    inspection.value = found;
    isInspected.value = true;
    const { pixels } = questions.value;
    earlier.value = earlierClasses.filter(({ classes: [first] }) =>
      pixels.some(({ kind }) => (kind === 'colours') === (first?.colour !== undefined)),
    );
  }

  /** The manifest; undefined where something is missing, which `missing` then shows. */
  function manifest(): Manifest | undefined {
    problems.value = problemsOf(description.value, catalog(), questions.value, isInspected.value);
    return missing.value.length === 0 ? toManifest(description.value, questions.value) : undefined;
  }

  return {
    ...{ isInspected, before, answers, description, problems, missing, earlier, questions },
    ...{ change, map, answer, field, part, choice, chooseTiers, inspected, manifest },
  };
}

const isOfRow = (id: string) => id.startsWith('class-');

function withoutRows(problems: Problems): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([id]) => !isOfRow(id)));
}

function listOf(problems: Problems, speedsBy: Description['speedsBy']): { id: string; text: string }[] {
  const all = Object.entries(problems).map(([id, text = '']) => ({ id, text }));
  const ofRows = all.filter(({ id }) => isOfRow(id));
  const [first] = ofRows;
  if (!first) return all;
  const what = ofRows.length === 1 ? `${first.text}.` : `${ofRows.length} fields need an answer.`;
  const kind = speedsBy === 'tiers' ? 'category' : 'class';
  return [
    ...all.filter((one) => !ofRows.includes(one)),
    { id: first.id, text: `Speeds per ${kind}: ${what}` },
  ];
}
