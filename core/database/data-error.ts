/** An error of the data: XX000 is PROJ or GEOS, 22023 a bad geometry, 57014 a timeout. Not of the connection or the server. */
export function isDataError(error: unknown): boolean {
  return /^(XX000|22|57014)/.test((error as { code?: string }).code ?? '');
}

/** Whether a code is one of PostgreSQL's (manual, appendix A), not of Node's. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}
