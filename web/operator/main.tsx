import { CreditNoteView } from '../shared/billing/credit-note.tsx';
import { InvoiceView } from '../shared/billing/invoice.tsx';
import { api } from '../shared/client.ts';
import { startPage } from '../shared/page.tsx';
import { waitingTowers } from '../shared/tower-count.ts';
import type { Routes } from '../shared/ui/router.tsx';
import { begin } from './context.ts';
import { DescribeNewView, DescribeView } from './describe.tsx';
import { ExclusionsView } from './exclusions.tsx';
import { ExportsView } from './exports.tsx';
import { FeesView } from './fees.tsx';
import { HomeView } from './home.tsx';
import { ProfileView } from './profile.tsx';
import { ProvidersView } from './providers.tsx';
import { StopsView } from './stops.tsx';
import { SubmissionView } from './submission.tsx';
import { TowersView } from './towers.tsx';
import { VersionsView } from './versions.tsx';

const versions: Routes[number][1] = (technology = '', provider) => (
  <VersionsView technology={technology} provider={provider} />
);
const stops = { label: 'New connections', href: '#/stops', here: /^\/stops/ };
const exclusions = { label: 'Exclusions', href: '#/exclusions', here: /^\/exclusions/ };
const exports: Routes[number][1] = (technology, provider) => <ExportsView {...{ technology, provider }} />;
const coverage = { label: 'Coverage', href: '#/', here: /^\/($|new|file|submission|versions|exports)/ };

await startPage({
  purpose: 'Upload your coverage, see it on the map, and publish it.',
  roles: ['operator', 'staff'],
  places: ({ role }) =>
    role === 'staff'
      ? [
          coverage,
          stops,
          exclusions,
          { label: 'Towers', href: '#/towers', here: /^\/towers/, count: waitingTowers },
          { label: 'Providers', href: '#/providers', here: /^\/providers/ },
          { label: 'Billing', href: '/staff' },
        ]
      : [
          coverage,
          stops,
          exclusions,
          { label: 'Profile', href: '#/profile', here: /^\/profile/ },
          { label: 'Processing fees', href: '#/fees', here: /^\/(fees|invoices|credit-notes)/ },
        ],
  load: () => api.get('/api/operator/catalog'),
  routes(catalog, session) {
    begin(session, catalog);
    const ownProvider = session.provider;
    const ofRole: Routes = ownProvider
      ? [
          [/^\/profile$/, () => <ProfileView id={ownProvider.id} />],
          [/^\/fees$/, () => <FeesView />],
          [/^\/invoices\/(\d+)$/, (number) => <InvoiceView number={Number(number)} own="/api/operator" />],
          [
            /^\/credit-notes\/(\d+)$/,
            (number) => (
              <CreditNoteView
                number={Number(number)}
                whose="operator"
                back={{ href: '#/fees', label: 'Processing fees' }}
              />
            ),
          ],
        ]
      : [
          [/^\/towers$/, () => <TowersView />],
          [/^\/providers$/, () => <ProvidersView />],
          [/^\/providers\/(\d+)$/, (id) => <ProfileView id={Number(id)} />],
        ];
    return [
      ...ofRole,
      [/^\/$/, () => <HomeView />],
      [/^\/stops$/, () => <StopsView />],
      [/^\/exclusions$/, () => <ExclusionsView />],
      [/^\/exports$/, exports],
      [/^\/exports\/([^/]+)$/, exports],
      [/^\/exports\/([^/]+)\/([^/]+)$/, exports],
      [/^\/new$/, () => <DescribeNewView />],
      [/^\/file\/([^/]+)$/, (id) => <DescribeView id={id} />],
      [/^\/submission\/([^/]+)$/, (id = '') => <SubmissionView id={id} />],
      [/^\/versions\/([^/]+)$/, versions],
      [/^\/versions\/([^/]+)\/([^/]+)$/, versions],
    ];
  },
});
