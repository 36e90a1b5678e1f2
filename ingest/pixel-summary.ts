/* The summary of pixels in an inspection, for readers, which do not depend on core. */

export type { ColourSummary, PixelSummary, ValueSummary } from '../core/coverage/submissions/inspection.ts';
