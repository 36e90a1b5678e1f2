import { signal } from '@preact/signals';
import { makeSecret, SecretState } from '../shared/billing/secret.tsx';
import { api } from '../shared/client.ts';
import type { CustomerToken } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { Card } from '../shared/ui/view.tsx';
import { moment } from '../shared/words.ts';

/** The portal users of a customer, who sign in at /account, each with a token. */
export function Tokens({ customer: id, tokens }: { customer: number; tokens: readonly CustomerToken[] }) {
  function create(): Promise<void> {
    const name = signal('');
    return makeSecret(
      {
        title: 'New token',
        body: (
          <TextField
            label="Name"
            name="token-name"
            hint="The person or team who signs in at /account and sees this customer’s usage, keys and invoices. The token expires after a year."
            required
            maxLength={100}
            value={name}
          />
        ),
        confirm: 'Create token',
      },
      () => api.post('/api/staff/customers/{id}/tokens', { path: { id }, body: { name: name.value.trim() } }),
      () => [`Token of ${name.value.trim()}`],
    );
  }

  function revoke({ id: token, name }: CustomerToken): Promise<boolean> {
    return ask(
      {
        title: `Revoke the token of ${name}?`,
        body: 'Whoever is signed in with it is signed out at once.',
        confirm: 'Revoke token',
        danger: true,
        done: `The token of ${name} is revoked.`,
      },
      () => api.post('/api/staff/customers/{id}/tokens/{token}/revoke', { path: { id, token } }),
    );
  }

  return (
    <Card
      title="Portal users"
      actions={
        <Button icon="plus" onClick={create}>
          New token
        </Button>
      }
    >
      {tokens.length === 0 ? (
        <p class="muted">No portal users yet.</p>
      ) : (
        <ul class="divided">
          {tokens.map((token) => (
            <li key={token.id} class="between">
              <div>
                <strong>{token.name}</strong> <code class="small muted">{token.hint}</code>
                <span class="small muted below">{timesOf(token)}</span>
              </div>
              {token.state !== 'active' && <SecretState of={token.state} />}
              {(token.state === 'active' || token.state === 'expiring') && (
                <Button
                  kind="quiet"
                  label={`Revoke the token of ${token.name}`}
                  onClick={() => revoke(token)}
                >
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function timesOf({ state, created_at, expires_at, revoked_at }: CustomerToken): string {
  if (revoked_at) return `revoked ${moment(revoked_at)}`;
  return `created ${moment(created_at)}, ${state === 'expired' ? 'expired' : 'expires'} ${moment(expires_at)}`;
}
