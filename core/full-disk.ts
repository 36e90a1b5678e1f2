/** Tells if an error is a full disk: of this machine, or of the database (SQLSTATE disk_full). */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', '53100'].includes((error as { code?: string } | undefined)?.code ?? '');
