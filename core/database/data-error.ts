/**
 * Whether an error is about the data and not about the connection or the server: PostGIS reports errors of PROJ and GEOS as
 * internal ones (XX000), a bad geometry as 22023; 57014 is a timeout.
 */
export function isDataError(error: unknown): boolean {
  return /^(XX000|22|57014)/.test((error as { code?: string }).code ?? '');
}

/** Whether a code is one of PostgreSQL's (manual, appendix A), not of Node's. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}
