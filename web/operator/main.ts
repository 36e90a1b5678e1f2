import { request } from '../shared/api.ts';
import { startPage } from '../shared/page.ts';
import type { Catalog, Session } from '../shared/types.ts';
import { describeFile, describeNew } from './describe.ts';
import { homeView } from './home.ts';
import { submissionView } from './submission.ts';
import { versionsView } from './versions.ts';

/** What every view of the page is given. */
export interface Context {
  session: Session;
  catalog: Catalog;
  technologyLabel(name: string): string;
}

await startPage({
  purpose: 'Hand in your coverage, see it on the map, and publish it.',
  roles: ['operator', 'staff'],
  places: ({ role }) =>
    role === 'staff'
      ? [
          { label: 'Coverage', href: '#/', here: /^/ },
          { label: 'Billing', href: '/staff' },
        ]
      : [],
  async routes(session) {
    const catalog = await request<Catalog>('GET', '/api/operator/catalog');
    const labels = new Map(catalog.technologies.map(({ name, label }) => [name, label]));
    const context: Context = { session, catalog, technologyLabel: (name) => labels.get(name) ?? name };
    return [
      [/^\/$/, () => homeView(context)],
      [/^\/new$/, () => describeNew(context)],
      [/^\/file\/([^/]+)$/, (id) => describeFile(context, id as string)],
      [/^\/submission\/([^/]+)$/, (id) => submissionView(context, id as string)],
      [/^\/versions\/([^/]+)$/, (technology) => versionsView(context, technology as string)],
      [
        /^\/versions\/([^/]+)\/([^/]+)$/,
        (technology, provider) => versionsView(context, technology as string, provider),
      ],
    ];
  },
});
