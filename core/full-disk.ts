/** Whether an error says that a disk is full: this machine's, or the database's (SQLSTATE disk_full). */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', '53100'].includes((error as { code?: string } | undefined)?.code ?? '');
