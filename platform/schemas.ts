import { z } from 'zod';

/* Stored and shown values in zod: the API's description and the types come from these schemas. */

/** An instant: a Date, which JSON has as ISO 8601 with its zone. */
export const time = () => z.iso.datetime({ offset: true }) as unknown as z.ZodType<Date, Date>;
/** An instant as a text, where the database has put it into JSON. */
export const timeText = () => z.iso.datetime({ offset: true });
/** A calendar day in New Zealand, YYYY-MM-DD. */
export const day = () => z.iso.date({ error: 'has to be a date as 2026-12-01.' });
/** A month in New Zealand, YYYY-MM. */
export const month = () =>
  z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'has to be a month as 2026-11.' });
export const cents = (description = 'Cents, excluding GST.') => z.int().describe(description);
/** West, south, east, north. */
export const box = () => z.tuple([z.number(), z.number(), z.number(), z.number()]);
export const anyObject = () => z.record(z.string(), z.unknown());

/** A code for programs, with its sentence: a warning, or a message that blocks a publication. */
export const codedMessage = z.object({ code: z.string(), message: z.string() });
export type CodedMessage = z.output<typeof codedMessage>;

const schemas: z.ZodType[] = [];

/** Names a schema, or an object of these fields, in the description of the API and in the types of the client. */
export function named<S extends z.ZodType>(id: string, schema: S, more?: z.GlobalMeta): S;
export function named<F extends z.ZodRawShape>(id: string, fields: F, more?: z.GlobalMeta): z.ZodObject<F>;
export function named(id: string, given: z.ZodType | z.ZodRawShape, more: z.GlobalMeta = {}): z.ZodType {
  const schema = given instanceof z.ZodType ? given : z.object(given);
  const known = schema.meta({ ...more, id });
  schemas.push(known);
  return known;
}

export const namedSchemas = (): readonly z.ZodType[] => schemas;

/** The named provider and customer of other objects. */
export const NamedProvider = named('NamedProvider', { id: z.int(), name: z.string() });
export const NamedCustomer = named('NamedCustomer', { id: z.int(), name: z.string() });
