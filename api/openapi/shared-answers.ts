import { mapValues } from './operations.ts';
import type { Answer, Operation, PathItem, Reference } from './types.ts';

/* Answers that several operations give are written once, in `components.responses`, and the operations refer to them. */

/** The same operations with references, and the answers that these name. */
export function shareAnswers(paths: Record<string, PathItem>): {
  paths: Record<string, PathItem<Answer | Reference>>;
  responses: Record<string, Answer>;
} {
  /** By their text: the name that an answer would have, and how many operations give it. */
  const known = new Map<string, { name: string; answer: Answer; uses: number }>();
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  for (const { operationId, responses } of all) {
    for (const [status, answer] of Object.entries(responses)) {
      const text = JSON.stringify(answer);
      const one = known.get(text) ?? { name: nameOf(answer, operationId, status), answer, uses: 0 };
      known.set(text, { ...one, uses: one.uses + 1 });
    }
  }
  const inPlace = (answer: Answer): Answer | Reference => {
    const { name, uses } = known.get(JSON.stringify(answer)) as { name: string; uses: number };
    return uses > 1 ? { $ref: `#/components/responses/${name}` } : answer;
  };
  const shared = [...known.values()].filter(({ uses }) => uses > 1);
  const names = shared.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`two answers that differ have the name ${twice}`);
  const withReferences = (operation: Operation) => ({
    ...operation,
    responses: mapValues(operation.responses, inPlace),
  });
  return {
    paths: mapValues(paths, (item) => mapValues(item, withReferences)),
    responses: Object.fromEntries(shared.map(({ name, answer }) => [name, answer])),
  };
}

/** A coded error is named by its codes, any other answer by the first operation that gives it: `not_signed_in`, `getCustomer.200`. */
function nameOf({ description, content }: Answer, operationId: string, status: string): string {
  const codes = content && /^(?:`\w+`(?:, |\.$)){1,99}$/.test(description) ? description.match(/\w+/g) : null;
  return codes?.join('-') ?? `${operationId}.${status}`;
}
