import { computed, signal } from '@preact/signals';
import { computedValue, type Value } from '../shared/field-value.ts';
import type { EarlierClasses, Inspection, Manifest } from '../shared/schemas.ts';
import { catalog } from './context.ts';
import {
  type Description,
  describe,
  type FormProblems,
  problemsOf,
  questionsOf,
  textMeanings,
  toManifest,
} from './description.ts';
import { tableOf } from './pixel-table.ts';

export type QuestionProps = { form: FormState };

/** The state of the form about a file: its contents, the answers, and the problems. */
export type FormState = ReturnType<typeof makeFormState>;

export function makeFormState() {
  const technologies = catalog().technologies.map(({ name }) => name);
  const inspection = signal<Inspection | null>(null);
  /** False while the file may still answer missing questions. */
  const isInspected = signal(false);
  const description = signal(describe(null, technologies));
  const problems = signal<FormProblems>({});
  const missing = computed(() => listOf(problems.value));
  /** Tables of classes of earlier files that fit this one, the newest first. */
  const earlier = signal<readonly EarlierClasses[]>([]);
  const questions = computed(() => questionsOf(inspection.value));
  const initialPixels = computed(() =>
    tableOf(questions.value.pixels, inspection.value?.manifest.classes ?? []),
  );
  const said = new Set<keyof Description>();
  let answeredBefore: Manifest | undefined;

  function say(changes: Partial<Description>): void {
    for (const name of Object.keys(changes) as (keyof Description)[]) said.add(name);
    description.value = { ...description.value, ...changes };
  }

  function answer<K extends keyof Description>(name: K): Value<Description[K]> {
    return computedValue(
      () => description.value[name],
      (value) => say({ [name]: value }),
    );
  }

  function field<K extends keyof Description & keyof Omit<FormProblems, 'pixels'>>(name: K) {
    return { name, value: answer(name), error: problems.value[name] };
  }

  function chooseTextField(name: string): void {
    const texts = textMeanings(questions.value.examples[name] ?? [], description.value.texts);
    say({ textField: name, texts });
  }

  /** Takes answers from a file's inspection, except for fields that were changed in the form. */
  function takeOver(found: Inspection | null): void {
    const now = description.value;
    const kept = Object.fromEntries([...said].map((name) => [name, now[name]]));
    description.value = { ...describe(found, technologies), ...kept };
  }

  function inspected(found: Inspection | null, earlierClasses: readonly EarlierClasses[] = []): void {
    inspection.value = found;
    isInspected.value = true;
    const { pixels } = questions.value;
    earlier.value = earlierClasses.filter(({ classes: [first] }) =>
      pixels.some(({ kind }) => (kind === 'colours') === (first?.colour !== undefined)),
    );
    takeOver(answeredBefore ? withAnswers(found, answeredBefore) : found);
  }

  function answered(manifest: Manifest): void {
    answeredBefore = manifest;
    takeOver(withAnswers(inspection.value, manifest));
  }

  /** The manifest; undefined where something is missing, which `missing` then shows. */
  function manifest(): Manifest | undefined {
    problems.value = problemsOf(description.value, catalog(), questions.value, isInspected.value);
    return missing.value.length === 0 ? toManifest(description.value, inspection.value) : undefined;
  }

  return {
    ...{ inspection, isInspected, description, problems, missing, initialPixels, earlier, questions },
    ...{ say, answer, field, chooseTextField, inspected, answered, manifest },
  };
}

function listOf({ pixels = {}, ...named }: FormProblems): { id: string; text: string }[] {
  const list = Object.entries(named).map(([id, text]) => ({ id, text }));
  const [first, ...others] = Object.entries(pixels);
  if (!first) return list;
  const what = others.length === 0 ? `${first[1]}.` : `${others.length + 1} fields need an answer.`;
  return [...list, { id: first[0], text: `Speeds per class: ${what}` }];
}

/** An inspection with the file's contents overridden by answers. */
function withAnswers(inspection: Inspection | null, answers: Manifest): Inspection {
  const nothing = { kind: 'coverage' as const, layers: [], speeds_missing: [], warnings: [], towers: null };
  const found: Inspection = inspection ?? { ...nothing, manifest: {} };
  const attributes = { ...found.manifest.attributes, ...answers.attributes };
  return { ...found, manifest: { ...found.manifest, ...answers, attributes } };
}
