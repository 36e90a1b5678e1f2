import { CovermapError } from '../../../core/errors.ts';

/** The manifest of a form or of an upload's metadata: JSON as text. @throws CovermapError `manifest_missing`, `manifest_not_json` */
export function parseManifestText(text: string | undefined): unknown {
  if (text === undefined) throw new CovermapError('manifest_missing');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CovermapError('manifest_not_json', `The manifest is not JSON: ${(error as Error).message}.`);
  }
}
