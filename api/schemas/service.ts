import { z } from 'zod';

export const Health = z.object({ status: z.string() });

export const Description = z.looseObject({ openapi: z.string() });
