import { Caps } from '../shared/billing/caps.tsx';
import { BillingContact } from '../shared/billing/contact.tsx';
import { type KeyActions, Keys } from '../shared/billing/keys.tsx';
import { Statement } from '../shared/billing/statement.tsx';
import { Usage } from '../shared/billing/usage.tsx';
import { api } from '../shared/client.ts';
import { MailSettings } from '../shared/mail-settings.tsx';
import type { Billing } from '../shared/schemas.ts';
import { CsvLink, PdfLink } from '../shared/ui/button.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { CustomerPlan } from './customer-plan.tsx';
import { Ledger } from './ledger.tsx';
import { MailStatement } from './mail-statement.tsx';
import { Payments } from './payments.tsx';
import { Tokens } from './tokens.tsx';

/** A customer: usage, plan, keys, portal users, invoices, ledger. */
export function CustomerView({ billing, id }: { billing: Billing; id: number }) {
  const path = { id };
  // Plans and posts change the month's cost and invoices: everything is reloaded.
  const customer = useResource(() => api.get('/api/staff/customers/{id}', { path }), 'here');
  const statement = useResource(() => api.get('/api/staff/statement', { query: { customer: id } }), 'here');
  return (
    <View title={customer.data.value?.name ?? 'Customer'} back={{ href: '#/customers', label: 'Customers' }}>
      <div class="columns with-side">
        <div class="stack large">
          <Usage
            load={(month) => api.get('/api/staff/customers/{id}/usage', { path, query: { month } })}
            address={`/api/staff/customers/${id}/usage`}
            {...billing}
          />
          <Loaded of={customer}>{({ keys }) => <Keys keys={keys} actions={keyActions(id)} />}</Loaded>
          <Card
            title="Statement"
            actions={
              <>
                <MailStatement account={{ customer: id }} />
                <PdfLink href={`/api/staff/statement?customer=${id}&format=pdf`} />
                <CsvLink href={`/api/staff/statement?customer=${id}&format=csv`} />
              </>
            }
          >
            <Loaded of={statement}>
              {(statement) => <Statement of={statement} nothing="No invoices yet." />}
            </Loaded>
          </Card>
          <Payments
            account={{ customer: id }}
            credit={statement.data.value?.credit_cents ?? 0}
            billing={billing}
          />
          <Ledger account={{ customer: id }} billing={billing} />
        </div>
        <div class="stack large">
          <Card title="Plan">
            <Loaded of={customer}>
              {(customer) => <CustomerPlan customer={customer} billing={billing} />}
            </Loaded>
          </Card>
          <Caps
            by="staff"
            load={() => api.get('/api/staff/customers/{id}/cap', { path })}
            set={(body) => api.put('/api/staff/customers/{id}/cap', { path, body })}
            remove={() => api.delete('/api/staff/customers/{id}/cap', { path })}
          />
          <Card title="Billing contact">
            <Loaded of={customer}>
              {({ contact }) => (
                <BillingContact
                  contact={contact}
                  save={(contact) => api.post('/api/staff/customers/{id}/contact', { path, body: contact })}
                />
              )}
            </Loaded>
          </Card>
          <MailSettings
            load={() => api.get('/api/staff/customers/{id}/mail', { path })}
            save={(body) => api.post('/api/staff/customers/{id}/mail', { path, body })}
          />
          <Loaded of={customer}>{({ tokens }) => <Tokens customer={id} tokens={tokens ?? []} />}</Loaded>
        </div>
      </div>
    </View>
  );
}

function keyActions(id: number): KeyActions {
  return {
    create: (body) => api.post('/api/staff/customers/{id}/keys', { path: { id }, body }),
    rotate: (key, hours) =>
      api.post('/api/staff/customers/{id}/keys/{key}/rotate', {
        path: { id, key },
        body: { overlap_hours: hours },
      }),
    revoke: (key) => api.post('/api/staff/customers/{id}/keys/{key}/revoke', { path: { id, key } }),
  };
}
