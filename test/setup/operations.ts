import { mapValues } from '../../api/openapi/operations.ts';
import type {
  Access,
  Answer,
  Method,
  OpenApiDocument,
  Operation,
  PathItem,
  Reference,
} from '../../api/openapi/types.ts';

/* The operations that a service describes. */

export interface Described {
  path: string;
  method: Method;
  operation: Operation & { 'x-access': Access };
}

export const descriptionOf = async (url: string): Promise<OpenApiDocument> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;

/** The paths of a description with their answers in place of references to them. */
export function withAnswers({ paths, components }: OpenApiDocument): Record<string, PathItem> {
  const inPlace = (one: Answer | Reference) =>
    '$ref' in one ? components.responses[one.$ref.replace('#/components/responses/', '')] : one;
  return JSON.parse(JSON.stringify(paths), (key, value) =>
    key === 'responses' ? mapValues(value, inPlace) : value,
  );
}

export const operationsIn = (document: OpenApiDocument): Described[] =>
  Object.entries(withAnswers(document)).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }) as Described),
  );

/** The path with these values of its parameters, as they stand in it, or else with the examples of the description. */
export const filledPath = (
  { path, operation }: Pick<Described, 'path' | 'operation'>,
  valueFor: (name: string) => string | undefined,
): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = operation.parameters?.find((one) => one.name === name)?.example ?? 1;
    return valueFor(name) ?? encodeURIComponent(String(example));
  });
