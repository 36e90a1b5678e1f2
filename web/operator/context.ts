import type { Catalog, Session } from '../shared/schemas.ts';

/** What every view of the page is given. */
export interface Context {
  session: Session;
  isStaff: boolean;
  catalog: Catalog;
  technologyLabel(name: string): string;
}

/** The way back from a view to the first. */
export function backHome({ isStaff }: Context): { href: string; label: string } {
  return { href: '#/', label: isStaff ? 'Coverage' : 'Your coverage' };
}

/** The versions with a technology. @param provider only this operator's, for staff */
export function versionsPath({ isStaff }: Context, technology: string, provider: { name: string }): string {
  const parts = [technology, ...(isStaff ? [provider.name] : [])];
  return `#/versions/${parts.map(encodeURIComponent).join('/')}`;
}
