import { request } from '../shared/api.ts';
import { startPage } from '../shared/page.tsx';
import { waitingTowers } from '../shared/tower-count.ts';
import type { Catalog, Session } from '../shared/types.ts';
import type { Routes } from '../shared/ui/router.tsx';
import { describeFile, describeNew } from './describe.ts';
import { feesView } from './fees.ts';
import { homeView } from './home.ts';
import { profileView, providersView } from './profile.ts';
import { submissionView } from './submission.ts';
import { towersView } from './towers.ts';
import { versionsView } from './versions.ts';

/** What every view of the page is given. */
export interface Context {
  session: Session;
  catalog: Catalog;
  technologyLabel(name: string): string;
}

const coverage = { label: 'Coverage', href: '#/', here: /^\/($|new|file|submission|versions)/ };

await startPage({
  purpose: 'Upload your coverage, see it on the map, and publish it.',
  roles: ['operator', 'staff'],
  places: ({ role }) =>
    role === 'staff'
      ? [
          coverage,
          { label: 'Towers', href: '#/towers', here: /^\/towers/, count: waitingTowers },
          { label: 'Providers', href: '#/providers', here: /^\/providers/ },
          { label: 'Billing', href: '/staff' },
        ]
      : [
          coverage,
          { label: 'Profile', href: '#/profile', here: /^\/profile/ },
          { label: 'Processing fees', href: '#/fees', here: /^\/fees/ },
        ],
  async routes(session) {
    const catalog = await request<Catalog>('GET', '/api/operator/catalog');
    const labels = new Map(catalog.technologies.map(({ name, label }) => [name, label]));
    const context: Context = { session, catalog, technologyLabel: (name) => labels.get(name) ?? name };
    const own = session.provider;
    const ofRole: Routes = own
      ? [
          [/^\/profile$/, () => profileView(context, own.id)],
          [/^\/fees$/, () => feesView()],
        ]
      : [
          [/^\/towers$/, () => towersView(context)],
          [/^\/providers$/, () => providersView()],
          [/^\/providers\/(\d+)$/, (id) => profileView(context, Number(id))],
        ];
    return [
      ...ofRole,
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
