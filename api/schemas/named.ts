import type { z } from 'zod';

const schemas: z.ZodType[] = [];

/**
 * Gives a schema a name: in the description of the API under `components.schemas`, and in the types of the client.
 * @param more a description, an example
 */
export function named<S extends z.ZodType>(id: string, schema: S, more: z.GlobalMeta = {}): S {
  const known = schema.meta({ ...more, id });
  schemas.push(known);
  return known;
}

/** Every schema that has a name. */
export function namedSchemas(): readonly z.ZodType[] {
  return schemas;
}
