import { z } from 'zod';
import { named } from './named.ts';

/** A provider as other things name it. */
export const NamedProvider = named('NamedProvider', { id: z.int(), name: z.string() });
