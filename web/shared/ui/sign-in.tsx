import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { api } from '../client.ts';
import type { Session } from '../schemas.ts';
import { Button } from './button.tsx';
import { TextField } from './fields.tsx';
import { ErrorNotice, useAttempt } from './notice.tsx';
import { useTitle } from './view.tsx';

type SignInProps = { purpose: string; onSignedIn(session: Session): Promise<void> };

/** The form for a token. The token is exchanged for a cookie that no script can read, and kept nowhere. */
export function SignIn({ purpose, onSignedIn }: SignInProps) {
  const token = useSignal('');
  const { error, attempt } = useAttempt();
  const input = () => document.querySelector<HTMLInputElement>('#token');
  useTitle('Sign in');
  useLayoutEffect(() => input()?.focus(), []);
  const signIn = async () => {
    if (!input()?.checkValidity()) return;
    const body = { token: token.value.trim() };
    await attempt(async () => onSignedIn(await api.post('/api/session', { body })));
    if (error.value) input()?.select();
  };
  return (
    <form class="sign-in card stack small-gap" onSubmit={(event) => event.preventDefault()}>
      <h1>Sign in</h1>
      <p class="lead">{purpose}</p>
      <TextField
        label="Access token"
        name="token"
        type="password"
        hint="Issued by your service administrator. Treat it like a password."
        // Lets password managers keep the token.
        autoComplete="current-password"
        required
        spellcheck={false}
        value={token}
      />
      <ErrorNotice error={error.value} />
      <Button type="submit" kind="primary" class="wide" onClick={signIn}>
        Sign in
      </Button>
    </form>
  );
}
