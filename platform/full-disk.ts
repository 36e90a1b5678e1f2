/** Of this machine, and of the database (SQLSTATE disk_full). */
export const diskFullCodes = ['ENOSPC', 'EDQUOT', '53100'];

export const isDiskFull = (error: unknown): boolean =>
  diskFullCodes.includes((error as { code?: string } | undefined)?.code ?? '');
