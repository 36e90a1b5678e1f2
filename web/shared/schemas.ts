import type { Answer } from '../../client/client.ts';
import type { components } from '../../client/schema.ts';

/* What the API answers, by the names that its description has. Money is in cents without GST. */

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type Catalog = Answer<'/api/operator/catalog'>;

/*
 * What the description of the API does not say exactly yet: written here until it does. An answer becomes one of these by
 * `exact`.
 */
export type {
  Accepted,
  Availability,
  Change,
  ColourSummary,
  Dataset,
  ErrorReport,
  InspectedLayer,
  Inspection,
  Manifest,
  Meaning,
  PixelClass,
  PixelSummary,
  Problem,
  ProviderProfile,
  PublishedCoverage,
  Report,
  SpeedField,
  Speeds,
  SpeedUnit,
  Status,
  Submission,
  SubmissionDataset,
  SystemChoice,
  Tier,
  ValueSummary,
  WaitingFile,
} from './types.ts';
export { speedFields } from './types.ts';

export function exact<T>(answer: unknown): T {
  return answer as T;
}
