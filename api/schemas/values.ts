import { z } from 'zod';

/* What most schemas are made of. Amounts of money are whole cents. */

/** A calendar month, `YYYY-MM`, in New Zealand. */
export const month = () => z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
/** A calendar date, `YYYY-MM-DD`, in New Zealand. */
export const day = () => z.iso.date();
/** An instant, in ISO 8601. */
export const time = () => z.iso.datetime();
/** Cents; without GST unless it says otherwise. */
export const cents = (description = 'Cents without GST.') => z.int().describe(description);
/** Whatever JSON object there is. */
export const anyObject = () => z.record(z.string(), z.unknown());
