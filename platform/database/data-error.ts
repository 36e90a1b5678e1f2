/** An error of the data: XX000 is PROJ or GEOS, 22023 a bad geometry, 57014 a timeout. Not of the connection or the server. */
export const isDataError = (error: unknown): boolean =>
  /^(XX000|22|57014)/.test((error as { code?: string }).code ?? '');

/** Tells if a code is one of PostgreSQL's (manual, appendix A), not of Node's. */
export const isSqlState = (code: unknown): code is string =>
  typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
