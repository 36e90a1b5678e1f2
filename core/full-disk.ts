/** Whether an error says that a disk is full: this machine's, or the database's (SQLSTATE disk_full). */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', '53100'].includes((error as { code?: string } | undefined)?.code ?? '');
}
