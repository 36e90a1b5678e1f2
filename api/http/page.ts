/** A page of a list that was read with one row more, and its last row's id if there are more. */
export function pageOf<Row extends { id: string | number }>(found: Row[], limit: number) {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? String(rows.at(-1)?.id) : null };
}
