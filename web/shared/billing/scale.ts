/** The marks of an axis from zero to `largest` or above: whole numbers, 1, 2, 2.5 or 5 times a power of ten apart. @param most without zero */
export function axisMarks(largest: number, most = 4): number[] {
  const step = stepOf(Math.max(largest, 1) / most);
  const marks = [0];
  for (let mark = step; marks.length === 1 || mark - step < largest; mark += step) marks.push(mark);
  return marks;
}

function stepOf(smallest: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(smallest)));
  // Below ten, 2.5 would not be a whole number.
  const factors = power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  return power * (factors.find((factor) => factor * power >= smallest) as number);
}
