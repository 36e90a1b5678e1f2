type Cell = string | number | Date | null | undefined;

/** Rows as lines of text; of a time, the UTC date. @param columns by heading: a property of a row, or a function that gives its cell */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: Record<string, keyof Row | ((row: Row) => Cell)>,
): string {
  const cells = rows.map((row) =>
    Object.values(columns).map((column) =>
      shown(typeof column === 'function' ? column(row) : (row[column] as Cell)),
    ),
  );
  const lines = [Object.keys(columns), ...cells];
  const widths = Object.keys(columns).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const shown = (cell: Cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? ''));
