import { Readable } from 'node:stream';
import type { Response } from 'express';
import { z } from 'zod';
import { towersGeoJson } from '../../coverage/submissions/towers.ts';
import { anyObject } from '../../platform/schemas.ts';
import type { ApiContext } from '../context.ts';
import { sendStream } from '../http/send-stream.ts';

/** The description of an answer with a submission's towers. */
export const towersAnswer = {
  200: {
    description: 'A point feature for each tower; none where the file is coverage.',
    content: {
      'application/geo+json': {
        schema: z.object({ type: z.literal('FeatureCollection'), features: z.array(anyObject()) }),
      },
    },
  },
};

/** Answers with a submission's towers. The caller may see the submission. */
export async function answerTowers({ database }: ApiContext, id: string, response: Response) {
  const towers = await towersGeoJson(database, id);
  response.setHeader('Content-Type', 'application/geo+json');
  await sendStream(response, Readable.from(towers));
  return undefined;
}
