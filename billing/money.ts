/** Cents as dollars, as in -12.05. */
export const dollars = (cents: number): string => (cents / 100).toFixed(2);
