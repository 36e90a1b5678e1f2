/* What an inspection says of pixels, for the readers, which know nothing of core. */

export type { ColourSummary, PixelSummary, ValueSummary } from '../core/coverage/submissions/inspection.ts';
