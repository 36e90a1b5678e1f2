import { z } from 'zod';

export const Health = z.object({ status: z.string() });

export const Description = z.looseObject({ openapi: z.string() });

export const Welcome = z.object({
  name: z.string(),
  description: z.string(),
  documentation: z.string(),
  openapi: z.string(),
  endpoints: z.array(z.string()),
});
