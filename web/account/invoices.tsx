import { Statement } from '../shared/billing/statement.tsx';
import { api } from '../shared/client.ts';
import { Card } from '../shared/ui/card.tsx';
import { CsvLink } from '../shared/ui/csv-link.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { View } from '../shared/ui/view.tsx';
import { useResource } from '../shared/use-resource.ts';

/** The customer's own account: its credit, its invoices, and what is unbilled. */
export function InvoicesView() {
  const statement = useResource(() => api.get('/api/account/statement'));
  return (
    <View title="Invoices" heading="Your invoices">
      <Card title="Statement" actions={<CsvLink href="/api/account/statement?format=csv" />}>
        <Loaded of={statement}>
          {(statement) => (
            <Statement of={statement} nothing="No invoices yet. The first comes when your plan starts." />
          )}
        </Loaded>
      </Card>
    </View>
  );
}
