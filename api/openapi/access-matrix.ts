import { areas, isBelow } from '../areas.ts';
import { thingsNamed } from '../guards.ts';
import type { Access, OpenApiDocument, Operation } from './types.ts';

/** The callers of an operation, by the guards. */
export function accessOf(path: string, { security, tags }: Operation): Access {
  const area = areas.find((one) => isBelow(path, one.path));
  if (area) return { who: area.roles, things: thingsOf(path) };
  const takes = (scheme: string) => security.some((one) => scheme in one);
  if (takes('apiKey') || takes('apiKeyInQuery')) {
    const isJob = path.includes('/jobs/{id}');
    return { who: ['key'], things: isJob ? { id: { what: 'bulk job', owner: 'customer' } } : {} };
  }
  if (tags.includes('Monitoring')) return { who: ['monitor'], things: {} };
  if (tags.includes('Registry')) return { who: ['registrar'], things: {} };
  return { who: [takes('session') && security.length === 1 ? 'session' : 'anyone'], things: {} };
}

function thingsOf(path: string): Access['things'] {
  return Object.fromEntries(
    thingsNamed(path).map(([name, { what, owner }]) => [
      name,
      { what: what.replace('customer_', ''), owner },
    ]),
  );
}

const words: Record<Access['who'][number], string> = {
  anyone: 'anybody',
  registrar: 'listed addresses',
  monitor: 'this machine, listed networks',
  key: 'a customer’s key',
  session: 'whoever is signed in',
  operator: 'operators',
  staff: 'staff',
  customer: 'customers',
};

/** The matrix of docs/administrator/security.md: every operation, its callers, and the owners of its things. Markdown. */
export function accessMatrix(document: OpenApiDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]: [string, Operation<unknown> & { 'x-access'?: Access }]) => {
        const { who, things: named } = operation['x-access'] as Access;
        const whose = Object.entries(named)
          .filter(([, { owner }]) => owner !== 'nobody')
          .map(
            ([name, { what, owner }]) =>
              `\`${name}\`: ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what.replace('_', ' ')} of ${ownerWords[owner]}`,
          );
        return `| \`${method.toUpperCase()} ${path}\` | ${who.map((one) => words[one]).join(', ')} | ${whose.join('; ')} |`;
      },
    ),
  );
  return ['| operation | who | whose things |', '| --- | --- | --- |', ...rows].join('\n');
}

const ownerWords: Record<Access['things'][string]['owner'], string> = {
  operator: 'one’s own provider; staff: any',
  customer: 'the same customer',
  nobody: '',
};
