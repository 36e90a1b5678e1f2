/**
 * Whether what PostgreSQL said is about the data and not about the connection or the server: PostGIS reports what PROJ
 * and GEOS say as internal errors (XX000), a bad geometry as 22023; 57014 is work on the data that took too long.
 */
export function isDataError(error: unknown): boolean {
  return /^(XX000|22|57014)/.test((error as { code?: string }).code ?? '');
}

/** Whether a code is one of PostgreSQL's (manual, appendix A), and not one of Node's or none. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}
