import { Statement } from '../shared/billing/statement.tsx';
import { api } from '../shared/client.ts';
import { CsvLink, PdfLink } from '../shared/ui/button.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';

export function InvoicesView() {
  const statement = useResource(() => api.get('/api/account/statement'));
  return (
    <View title="Invoices" heading="Your invoices">
      <Card
        title="Statement"
        actions={
          <>
            <PdfLink href="/api/account/statement?format=pdf" />
            <CsvLink href="/api/account/statement?format=csv" />
          </>
        }
      >
        <Loaded of={statement}>
          {(statement) => (
            <Statement
              of={statement}
              own="/api/account"
              nothing="No invoices yet. The first comes when your plan starts."
            />
          )}
        </Loaded>
      </Card>
    </View>
  );
}
