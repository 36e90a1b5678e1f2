import { api } from '../shared/client.ts';
import { startPage } from '../shared/page.tsx';
import { waitingTowers } from '../shared/tower-count.ts';
import type { Routes } from '../shared/ui/router.tsx';
import type { Context } from './context.ts';
import { DescribeNewView, DescribeView } from './describe.tsx';
import { FeesView } from './fees.tsx';
import { HomeView } from './home.tsx';
import { ProfileView } from './profile.tsx';
import { ProvidersView } from './providers.tsx';
import { SubmissionView } from './submission.tsx';
import { TowersView } from './towers.tsx';
import { VersionsView } from './versions.tsx';

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
    const catalog = await api.get('/api/operator/catalog');
    const labels = new Map(catalog.technologies.map(({ name, label }) => [name, label]));
    const context: Context = {
      session,
      isStaff: session.role === 'staff',
      catalog,
      technologyLabel: (name) => labels.get(name) ?? name,
    };
    const versions = (technology = '', provider?: string) => (
      <VersionsView context={context} technology={technology} provider={provider} />
    );
    const own = session.provider;
    const ofRole: Routes = own
      ? [
          [/^\/profile$/, () => <ProfileView id={own.id} />],
          [/^\/fees$/, () => <FeesView />],
        ]
      : [
          [/^\/towers$/, () => <TowersView context={context} />],
          [/^\/providers$/, () => <ProvidersView />],
          [/^\/providers\/(\d+)$/, (id) => <ProfileView id={Number(id)} isStaff />],
        ];
    return [
      ...ofRole,
      [/^\/$/, () => <HomeView context={context} />],
      [/^\/new$/, () => <DescribeNewView context={context} />],
      [/^\/file\/([^/]+)$/, (id) => <DescribeView context={context} id={id as string} />],
      [/^\/submission\/([^/]+)$/, (id) => <SubmissionView id={id as string} context={context} />],
      [/^\/versions\/([^/]+)$/, versions],
      [/^\/versions\/([^/]+)\/([^/]+)$/, versions],
    ];
  },
});
