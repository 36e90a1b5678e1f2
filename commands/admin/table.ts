/** Lines of text with columns as wide as their widest cell. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The UTC date of a time; empty where there is none. */
export function day(date: Date | null): string {
  return date ? date.toISOString().slice(0, 10) : '';
}
