import type { Catalog, Session, Submission } from '../shared/schemas.ts';
import { coverageLabel, when } from '../shared/words.ts';

/* The session and the catalog, for all views after signing in. */

let known: { session: Session; catalog: Catalog };

export function begin(session: Session, catalog: Catalog): void {
  known = { session, catalog };
}

export const catalog = () => known.catalog;
export const isStaff = () => known.session.role === 'staff';

export function technologyLabel(technology: string): string {
  return catalog().technologies.find(({ name }) => name === technology)?.label ?? technology;
}

/** A technology with its scope: "Fibre, North". */
export function labelOf({ technology, scope }: { technology: string; scope: string }): string {
  return coverageLabel(technologyLabel(technology), scope);
}

/** The link from a view back to the first. */
export function backHome(): { href: string; label: string } {
  return { href: '#/', label: isStaff() ? 'Coverage' : 'Your coverage' };
}

/** The address of a technology's versions. @param provider only this operator's, for staff */
export function versionsPath(technology: string, provider: { name: string }): string {
  const parts = [technology, ...(isStaff() ? [provider.name] : [])];
  return `#/versions/${parts.map(encodeURIComponent).join('/')}`;
}

/** The address of exports, with a technology chosen. @param provider chosen for staff */
export function exportsPath(technology: string, provider: string | undefined): string {
  const parts = [technology, ...(isStaff() && provider !== undefined ? [provider] : [])];
  return `#/exports/${parts.map(encodeURIComponent).join('/')}`;
}

/** The time and the sender of a file: "uploaded today, 9:15 am by Ana". */
export function arrivalOf(came: string, { received_at: at, submitted_by: by }: Submission): string {
  return `${came} ${when(at)}${by ? ` by ${by}` : ''}`.trim();
}
