import type { Access, Method, OpenApiDocument, Operation } from '../../api/openapi/types.ts';

/* The operations that a service describes. */

export interface Described {
  path: string;
  method: Method;
  operation: Operation & { 'x-access': Access };
}

export const descriptionOf = async (url: string): Promise<OpenApiDocument> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;

export const operationsIn = ({ paths }: OpenApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
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
