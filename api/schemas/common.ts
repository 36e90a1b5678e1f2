import { z } from 'zod';
import { named } from './named.ts';

/** A provider as other things name it. */
export const NamedProvider = named('NamedProvider', z.object({ id: z.int(), name: z.string() }));
