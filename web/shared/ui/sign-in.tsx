import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { api } from '../client.ts';
import type { Session } from '../schemas.ts';
import { useAttempt } from '../use-attempt.ts';
import { ErrorNotice } from './notice.tsx';
import { useTitle } from './view.tsx';

export interface SignInProps {
  /** What the page is for. */
  purpose: string;
  onSignedIn(session: Session): Promise<void>;
}

/** The form that a token is given to. The token is exchanged for a cookie that no script can read, and kept nowhere. */
export function SignIn({ purpose, onSignedIn }: SignInProps) {
  const input = useRef<HTMLInputElement>(null);
  const { error, attempt } = useAttempt();
  const isPending = useSignal(false);
  useTitle('Sign in');
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isPending.value) return;
    isPending.value = true;
    const token = input.current?.value.trim() ?? '';
    await attempt(async () => onSignedIn(await api.post('/api/session', { body: { token } })));
    if (error.value) input.current?.select();
    isPending.value = false;
  };
  return (
    <form class="sign-in card" onSubmit={submit}>
      <h1>Sign in</h1>
      <p class="lead">{purpose}</p>
      <label for="token">Access token</label>
      <input
        ref={input}
        id="token"
        type="password"
        name="token"
        // A token is kept like a password, and a password manager may do so.
        autoComplete="current-password"
        required
        spellcheck={false}
        aria-describedby="token-hint"
      />
      <p id="token-hint" class="hint">
        Issued by your service administrator. Treat it like a password.
      </p>
      <ErrorNotice error={error.value} />
      <button type="submit" class="button primary wide" aria-disabled={isPending.value || undefined}>
        Sign in
      </button>
    </form>
  );
}
