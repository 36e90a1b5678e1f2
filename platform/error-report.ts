import { z } from 'zod';
import { box, named } from './schemas.ts';

/** A reference system that a file may be in. */
export const ReferenceSystemChoice = named('ReferenceSystemChoice', {
  crs: z.string().describe('For `crs` in the manifest, such as `EPSG:2193`.'),
  name: z.string(),
  bbox: box().describe(
    'Where the file would lie: west, south, east, north, in degrees. Across the 180th meridian, longitudes continue beyond it.',
  ),
  likely: z.boolean().describe('Whether the box touches the service area.'),
});
export type ReferenceSystemChoice = z.output<typeof ReferenceSystemChoice>;

/** The stored and shown form of an error: why a submission, an inspection or a prediction failed. */
export const ErrorReport = named('ErrorReport', {
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  choices: z
    .array(ReferenceSystemChoice)
    .readonly()
    .describe('With `reference_system_missing` and `outside_service_area`: choose one.')
    .optional(),
});
export type ErrorReport = z.output<typeof ErrorReport>;
