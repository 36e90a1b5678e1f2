import { Caps } from '../shared/billing/caps.tsx';
import { BillingContact } from '../shared/billing/contact.tsx';
import { Cancellation, limitWords, PlanFacts } from '../shared/billing/plan.tsx';
import { Usage } from '../shared/billing/usage.tsx';
import { dueWords, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { MailSettings } from '../shared/mail-settings.tsx';
import type { Account } from '../shared/schemas.ts';
import { Facts } from '../shared/ui/facts.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { number } from '../shared/words.ts';

/** The first view: the usage of the plan, by day, and the cost of the month. */
export function HomeView({ account }: { account: Account }) {
  const { customer, limit, plans, terms, today } = account;
  const hasOverage = customer.plan || customer.overage_allowed;
  return (
    <View title="Usage" heading="Your usage">
      <div class="columns with-side">
        <Usage
          load={(month) => api.get('/api/account/usage', { query: { month } })}
          address="/api/account/usage"
          {...account}
        />
        <div class="stack large">
          <Card title="Your plan">
            <Cancellation of={customer} today={today} />
            <PlanFacts of={customer} plans={plans} />
            <Facts
              list={[
                ['Overage', hasOverage ? `${money(terms.overage_cents)} a query` : 'With a plan only'],
                [
                  'Free trial queries',
                  `${number(customer.free_left)} of ${number(customer.free_queries)} left`,
                ],
                ['Rate limit', limitWords(limit)],
              ]}
            />
            <p class="small muted">
              Prices exclude GST. Plans are billed in advance, overage in arrears; invoices are due{' '}
              {dueWords(terms)}.
            </p>
          </Card>
          <Caps
            by="customer"
            load={() => api.get('/api/account/cap')}
            set={(body) => api.put('/api/account/cap', { body })}
            remove={() => api.delete('/api/account/cap')}
          />
          <Card title="Billing contact">
            <BillingContact
              contact={customer.contact}
              save={(contact) => api.post('/api/account/contact', { body: contact })}
            />
          </Card>
          <MailSettings
            load={() => api.get('/api/account/mail')}
            save={(body) => api.post('/api/account/mail', { body })}
          />
        </div>
      </div>
    </View>
  );
}
