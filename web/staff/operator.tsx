import { Statement } from '../shared/billing/statement.tsx';
import { api } from '../shared/client.ts';
import type { Billing } from '../shared/schemas.ts';
import { CsvLink, PdfLink } from '../shared/ui/button.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { Ledger } from './ledger.tsx';
import { MailStatement } from './mail-statement.tsx';
import { Payments } from './payments.tsx';

/** An operator's account: statement, payments, ledger. Its coverage and profile are on the operators' page. */
export function OperatorView({ billing, id }: { billing: Billing; id: number }) {
  const account = { provider: id };
  const statement = useResource(() => api.get('/api/staff/statement', { query: account }), 'here');
  const name = statement.data.value?.account.name ?? '';
  return (
    <View
      title={name || 'Operator'}
      back={{ href: '#/fees', label: 'Processing fees' }}
      actions={
        <>
          <a class="button" href={`#/fees?${new URLSearchParams({ q: name })}`}>
            Processing fees
          </a>
          <a class="button" href={`/operator#/providers/${id}`}>
            Profile
          </a>
        </>
      }
    >
      <Card
        title="Statement"
        actions={
          <>
            <MailStatement account={account} />
            <PdfLink href={`/api/staff/statement?provider=${id}&format=pdf`} />
            <CsvLink href={`/api/staff/statement?provider=${id}&format=csv`} />
          </>
        }
      >
        <Loaded of={statement}>
          {(statement) => <Statement of={statement} nothing="No invoices yet." />}
        </Loaded>
      </Card>
      <Payments account={account} credit={statement.data.value?.credit_cents ?? 0} billing={billing} />
      <Ledger account={account} billing={billing} />
    </View>
  );
}
