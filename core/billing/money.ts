/** Cents as dollars, as in -12.05. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
