import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Value } from '../shared/field-value.ts';
import type { Catalog, Inspection, Manifest } from '../shared/schemas.ts';
import type { EarlierClasses } from './class-editor.tsx';
import {
  type Description,
  describe,
  type FormProblems,
  problemsOf,
  type Questions,
  questionsOf,
  textMeanings,
  toManifest,
} from './description.ts';
import { type PixelTable, tableOf } from './pixel-table.ts';

/** What the form about a file knows: what was found in the file, what somebody has said of it, and what is missing. */
export interface FormState {
  readonly description: ReadonlySignal<Description>;
  readonly inspection: ReadonlySignal<Inspection | null>;
  /** False as long as the file may still say itself what is missing. */
  readonly isInspected: ReadonlySignal<boolean>;
  readonly questions: ReadonlySignal<Questions>;
  readonly problems: ReadonlySignal<FormProblems>;
  /** The problems as a list, each with the control that it is about. */
  readonly missing: ReadonlySignal<readonly { id: string; text: string }[]>;
  /** What the table of classes begins with. */
  readonly initialPixels: ReadonlySignal<PixelTable>;
  /** Tables of classes of earlier files that fit this one, the newest first. */
  readonly earlier: ReadonlySignal<readonly EarlierClasses[]>;
  /** One answer, to be shown and changed. */
  answer<K extends keyof Description>(name: K): Value<Description[K]>;
  /** Changes answers. */
  say(changes: Partial<Description>): void;
  chooseTextField(name: string): void;
  /** Takes over what was found in the file, but for what somebody has said already. */
  inspected(inspection: Inspection | null, earlier?: readonly EarlierClasses[]): void;
  /** Takes over what somebody said of the file before. */
  answered(manifest: Manifest): void;
  /** The manifest, or undefined where something is missing; then `missing` says what. */
  manifest(): Manifest | undefined;
}

/** What a question of the form is given. */
export interface QuestionProps {
  form: FormState;
}

export function makeFormState(catalog: Catalog): FormState {
  const technologies = catalog.technologies.map(({ name }) => name);
  const inspection = signal<Inspection | null>(null);
  const isInspected = signal(false);
  const description: Signal<Description> = signal(describe(null, technologies));
  const problems = signal<FormProblems>({});
  const missing = signal<readonly { id: string; text: string }[]>([]);
  const initialPixels = signal<PixelTable>(description.value.pixels);
  const earlier = signal<readonly EarlierClasses[]>([]);
  const questions = computed(() => questionsOf(inspection.value));
  const said = new Set<keyof Description>();
  let answeredBefore: Manifest | undefined;

  function say(changes: Partial<Description>): void {
    for (const name of Object.keys(changes) as (keyof Description)[]) said.add(name);
    description.value = { ...description.value, ...changes };
  }

  /** Takes over what a file or somebody says, but for what somebody has said in the form since. */
  function takeOver(found: Inspection | null): void {
    const now = description.value;
    const kept = Object.fromEntries([...said].map((name) => [name, now[name]]));
    description.value = { ...describe(found, technologies), ...kept };
  }

  return {
    description,
    inspection,
    isInspected,
    questions,
    problems,
    missing,
    initialPixels,
    earlier,
    say,
    answer: (name) => ({
      get value() {
        return description.value[name];
      },
      set value(value) {
        say({ [name]: value });
      },
    }),
    chooseTextField(name) {
      const texts = textMeanings(questions.value.examples[name] ?? [], description.value.texts);
      say({ textField: name, texts });
    },
    inspected(found, earlierClasses = []) {
      inspection.value = found;
      isInspected.value = true;
      const { pixels } = questions.value;
      initialPixels.value = tableOf(pixels, found?.manifest.classes ?? []);
      earlier.value = earlierClasses.filter(({ classes: [first] }) =>
        pixels.some(({ kind }) => (kind === 'colours') === (first?.colour !== undefined)),
      );
      takeOver(answeredBefore ? withAnswers(found, answeredBefore) : found);
    },
    answered(manifest) {
      answeredBefore = manifest;
      takeOver(withAnswers(inspection.value, manifest));
    },
    manifest() {
      problems.value = problemsOf(description.value, catalog, questions.value, isInspected.value);
      missing.value = listOf(problems.value);
      return missing.value.length === 0 ? toManifest(description.value, inspection.value) : undefined;
    },
  };
}

function listOf({ pixels = {}, ...named }: FormProblems): { id: string; text: string }[] {
  const list = Object.entries(named).map(([id, text]) => ({ id, text: String(text) }));
  const [first] = Object.keys(pixels);
  if (first === undefined) return list;
  const count = Object.keys(pixels).length;
  const what = count === 1 ? `${pixels[first]}.` : `${count} fields need an answer.`;
  return [...list, { id: first, text: `Speeds per class: ${what}` }];
}

/** An inspection as if the file had said what somebody says of it. */
function withAnswers(inspection: Inspection | null, answers: Manifest): Inspection {
  const nothing = { kind: 'coverage' as const, layers: [], speeds_missing: [], warnings: [], towers: null };
  const found: Inspection = inspection ?? { ...nothing, manifest: {} };
  const attributes = { ...found.manifest.attributes, ...answers.attributes };
  return {
    ...found,
    manifest: {
      ...found.manifest,
      ...answers,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    },
  };
}
