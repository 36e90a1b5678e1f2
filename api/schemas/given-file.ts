import { z } from 'zod';
import { invalidRequest } from '../errors.ts';
import { filledLine } from './values.ts';

/** Of a body with a file of 2 MB in Base64. */
export const fileBodyLimit = '3mb';
const maxBase64 = 2_900_000;

/** The fields of a file that staff drop. */
export const givenFile = {
  name: filledLine(200).describe('The name of the file.'),
  content_base64: z.string().min(1).max(maxBase64).describe('The file itself.'),
};

/** @throws CovermapError `request_invalid` */
export function givenBytes({ name, content_base64 }: { name: string; content_base64: string }) {
  const bytes = Buffer.from(content_base64, 'base64');
  if (bytes.length === 0) throw invalidRequest('"content_base64" has to be a file in Base64.');
  return { name, bytes };
}
