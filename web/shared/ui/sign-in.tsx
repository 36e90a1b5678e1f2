import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CovermapApiError } from '../../../client/client.ts';
import { api, asApiError } from '../client.ts';
import type { Session } from '../schemas.ts';
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
  const problem = useSignal<CovermapApiError | undefined>(undefined);
  const isPending = useSignal(false);
  useTitle('Sign in');
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isPending.value) return;
    isPending.value = true;
    problem.value = undefined;
    try {
      const token = input.current?.value.trim() ?? '';
      await onSignedIn(await api.post('/api/session', { body: { token } }));
    } catch (error) {
      problem.value = asApiError(error);
      input.current?.select();
    } finally {
      isPending.value = false;
    }
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
      <ErrorNotice error={problem.value} />
      <button type="submit" class="button primary wide" aria-disabled={isPending.value || undefined}>
        Sign in
      </button>
    </form>
  );
}
