import { api } from '../shared/client.ts';
import type { ProviderProfile } from '../shared/schemas.ts';
import { Badge, Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { wholesaleNetworks } from './profile.tsx';

export const withoutAddress = 'Their coverage cannot be published without it.';

/** For staff: all providers, those without a web address first. */
export function ProvidersView() {
  const all = useResource(() => api.get('/api/operator/providers'), 'elsewhere');
  return (
    <View title="Providers" lead="What answers say of each provider.">
      <Card title="Providers" silent>
        <Loaded of={all}>{({ providers }) => <Providers providers={providers} />}</Loaded>
      </Card>
    </View>
  );
}

function Providers({ providers }: { providers: ProviderProfile[] }) {
  const missing = providers.filter(({ url }) => url === '').length;
  return (
    <>
      {missing > 0 && (
        <Notice
          tone="warning"
          title={
            missing === 1 ? 'One provider has no web address.' : `${missing} providers have no web address.`
          }
          text={withoutAddress}
        />
      )}
      <Table
        caption="Providers, by name"
        columns={columns}
        rows={[...providers].sort((a, b) => Number(a.url !== '') - Number(b.url !== ''))}
        empty="No providers yet."
      />
    </>
  );
}

const columns: Column<ProviderProfile>[] = [
  { title: 'Provider', heading: true, cell: ({ id, name }) => <a href={`#/providers/${id}`}>{name}</a> },
  {
    title: 'Web address',
    cell: ({ url }) =>
      url === '' ? (
        <Badge tone="warning">Missing</Badge>
      ) : (
        <a href={url} rel="noreferrer" target="_blank">
          {url}
        </a>
      ),
  },
  {
    title: 'Sells',
    cell: (one) => wholesaleNetworks.find(([value]) => value === one.wholesale_network)?.[1],
  },
  { title: 'Areas served', cell: ({ area_served: areas }) => areas.join(', ') || '–' },
];
