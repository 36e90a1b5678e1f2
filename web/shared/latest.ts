/**
 * Finds the latest of several attempts, which may end in another order than they began.
 * @returns a function that begins an attempt, and returns a function which tells if it is still the latest
 */
export function latestOnly(): () => () => boolean {
  let begun = 0;
  return () => {
    begun += 1;
    const mine = begun;
    return () => mine === begun;
  };
}
