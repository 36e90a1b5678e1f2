import { type KeyActions, Keys } from '../shared/billing/keys.tsx';
import { limitWords } from '../shared/billing/plan.tsx';
import { api } from '../shared/client.ts';
import type { Account } from '../shared/schemas.ts';
import { View } from '../shared/ui/view.tsx';

const actions: KeyActions = {
  create: (body) => api.post('/api/account/keys', { body }),
  rotate: (key, hours) =>
    api.post('/api/account/keys/{key}/rotate', { path: { key }, body: { overlap_hours: hours } }),
  revoke: (key) => api.post('/api/account/keys/{key}/revoke', { path: { key } }),
};

export function KeysView({ customer, limit }: Account) {
  return (
    <View
      title="Keys"
      heading="Your keys"
      lead={`Programs send a key with each query, in the header x-api-key. Rate limit: ${limitWords(limit)}.`}
    >
      <Keys keys={customer.keys} actions={actions} />
      <p class="muted">
        Registrars need no key for the domain registry: <a href="/names">check a list of names</a>.
      </p>
    </View>
  );
}
