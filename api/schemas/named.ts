import { z } from 'zod';

const schemas: z.ZodType[] = [];

/**
 * Gives a schema, or an object of these fields, a name: in the description of the API under `components.schemas`, and in the types of
 * the client.
 * @param more a description, an example
 */
export function named<S extends z.ZodType>(id: string, schema: S, more?: z.GlobalMeta): S;
export function named<F extends z.ZodRawShape>(id: string, fields: F, more?: z.GlobalMeta): z.ZodObject<F>;
export function named(id: string, given: z.ZodType | z.ZodRawShape, more: z.GlobalMeta = {}): z.ZodType {
  const schema = given instanceof z.ZodType ? given : z.object(given);
  // One that core has named is known by that name wherever it is part of another.
  const known = schema.meta()?.id === id ? schema : schema.meta({ ...more, id });
  schemas.push(known);
  return known;
}

/** Every schema that has a name. */
export function namedSchemas(): readonly z.ZodType[] {
  return schemas;
}

/** A provider as other things name it. */
export const NamedProvider = named('NamedProvider', { id: z.int(), name: z.string() });
