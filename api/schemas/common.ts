import { z } from 'zod';
import { named } from './named.ts';

/* Values and small things that several areas of the API have. */

/** A point in time, ISO 8601. */
export const time = () => z.iso.datetime({ offset: true });
/** A calendar day, YYYY-MM-DD. */
export const day = () => z.iso.date();
export const uuid = () => z.uuid();
/** A row's number. */
export const id = () => z.int();

export const NamedProvider = named('NamedProvider', z.object({ id: id(), name: z.string() }));

/** A code for programs, with its sentence: a warning, or what blocks a publication. */
export const CodedMessage = z.object({ code: z.string(), message: z.string() });

/** Addresses of what follows, by name. */
export const Links = z.record(z.string(), z.string()).describe('Addresses of what follows.');
