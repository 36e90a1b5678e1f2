import { ApiError, asApiError, request } from './api.ts';
import { fill, h, newId } from './dom.ts';
import { errorNotice } from './notice.ts';
import type { Session } from './types.ts';

const address = '/api/session';

/** Who is signed in with this browser, if anybody. @throws ApiError where that cannot be found out */
export async function currentSession(): Promise<Session | undefined> {
  try {
    return await request<Session>('GET', address);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

export async function signOut(): Promise<void> {
  await request('DELETE', address);
}

/** The form that a token is given to. The token is exchanged for a cookie that no script can read, and kept nowhere. */
export function signInForm(what: string, signedIn: (session: Session) => unknown): HTMLElement {
  const id = newId('token');
  const hintId = newId('hint');
  const problem = h('div', {});
  const input = h('input', {
    id,
    type: 'password',
    name: 'token',
    // A token is kept like a password, and a password manager may do so.
    autocomplete: 'current-password',
    required: true,
    spellcheck: 'false',
    'aria-describedby': hintId,
  });
  const submit = h('button', { type: 'submit', class: 'button primary wide' }, 'Sign in');
  const form = h(
    'form',
    {
      class: 'sign-in card',
      onsubmit: async (event) => {
        event.preventDefault();
        if (submit.getAttribute('aria-disabled') === 'true') return;
        submit.setAttribute('aria-disabled', 'true');
        fill(problem);
        try {
          await signedIn(await request<Session>('POST', address, { token: input.value.trim() }));
        } catch (error) {
          fill(problem, errorNotice(asApiError(error)));
          input.focus();
          input.select();
        } finally {
          submit.removeAttribute('aria-disabled');
        }
      },
    },
    h('h1', {}, 'Sign in'),
    h('p', { class: 'lead' }, what),
    h('label', { for: id }, 'Access token'),
    input,
    h('p', { id: hintId, class: 'hint' }, 'The service gave it to your company. Treat it like a password.'),
    problem,
    submit,
  );
  return form;
}
