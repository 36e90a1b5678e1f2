import { signal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CovermapApiError } from '../../client/client.ts';
import { dayOf as nzDay } from '../../platform/nz-time.ts';
import { address } from './address.ts';
import { keepFresh, onChangesElsewhere } from './changes.ts';
import { api, asApiError, onSignedOut } from './client.ts';
import { set } from './field-value.ts';
import { RehearsalBar } from './rehearsal.tsx';
import type { Session } from './schemas.ts';
import { Button } from './ui/button.tsx';
import { closeDialogs, Dialogs, tell } from './ui/dialog.tsx';
import { Header, nameOf } from './ui/header.tsx';
import { Navigation, type Place } from './ui/navigation.tsx';
import { ErrorNotice, Notice } from './ui/notice.tsx';
import { Router, type Routes } from './ui/router.tsx';
import { SignIn } from './ui/sign-in.tsx';
import { View } from './ui/view.tsx';

export interface Page<Common> {
  /** Its purpose, above the field for the token. */
  purpose: string;
  roles: readonly Session['role'][];
  /** The navigation's places; none for a page with a single first view. */
  places(session: Session): readonly Place[];
  /** What its head has besides these. */
  head?: ComponentChildren;
  /** Loads the common data of its views after signing in, and again when it may have changed. @throws CovermapApiError */
  load(): Promise<Common>;
  /** Its views. */
  routes(common: Common, session: Session): Routes;
}

/** Undefined before the first answer; empty when signed out. A session without common data is of another page. */
type State<Common> = { error?: CovermapApiError; session?: Session; common?: Common } | undefined;

/** The page of each role, for people on another role's page. */
const pageOfRole: Record<Session['role'], { href: string; label: string }> = {
  operator: { href: '/operator', label: 'Go to the operator page' },
  staff: { href: '/staff', label: 'Go to the staff page' },
  customer: { href: '/account', label: 'Go to your account' },
};

/** Runs a page: signs people in, shows the address's view, and asks for the token again when the session ends. */
export async function startPage<Common extends object>({
  purpose,
  roles,
  places,
  head,
  load,
  routes,
}: Page<Common>): Promise<void> {
  const state = signal<State<Common>>(undefined);
  const signedOut = () => {
    set(state, {});
    // Who signs in again sees the last view, which may have changed its address.
    set(address, location.hash);
  };
  onSignedOut(() => {
    // An open dialog would cover the form.
    closeDialogs();
    signedOut();
  });
  render(<Head />, document.getElementById('header') as HTMLElement);
  render(
    [<Content key="content" />, <Dialogs key="dialogs" />],
    document.getElementById('content') as HTMLElement,
  );
  await start();
  onChangesElsewhere(follow);

  async function start(): Promise<void> {
    try {
      const session = await currentSession();
      if (session) await show(session);
      else signedOut();
    } catch (error) {
      state.value = { error: asApiError(error) };
    }
  }

  async function show(session: Session): Promise<void> {
    state.value = roles.includes(session.role) ? { session, common: await load() } : { session };
  }

  /** Follows the browser's session: another tab may have signed in as somebody else. Nothing of the former user stays. */
  async function follow(): Promise<void> {
    const session = await currentSession().catch(() => state.value?.session);
    const shown = state.value?.session;
    if (whoseIs(session) === whoseIs(shown)) return;
    // The session had ended: the view keeps what was entered before that.
    if (!shown) return start();
    leaveView();
    location.reload();
  }

  async function signOut(): Promise<void> {
    try {
      await api.delete('/api/session');
    } catch (caught) {
      const { status, message, hint } = asApiError(caught);
      // The cookie is still there: it would sign in whoever opens the page next.
      if (status !== 401) return tell('You are still signed in.', [message, hint], 'Close');
    }
    leaveView();
    signedOut();
  }

  function Head() {
    const { session, common } = state.value ?? {};
    const there = session && common ? places(session) : [];
    return (
      <>
        <Header session={session} onSignOut={signOut}>
          {there.length > 0 && <Navigation label="Parts of this page" places={there} />}
          {there.length > 0 && head}
        </Header>
        <RehearsalBar session={session} />
      </>
    );
  }

  function Content() {
    if (!state.value) return null;
    const { error, session, common } = state.value;
    if (session && common) return <Views {...{ session, common }} />;
    if (error)
      return (
        <ErrorNotice error={error}>
          <Button onClick={start}>Try again</Button>
        </ErrorNotice>
      );
    if (!session) return <SignIn purpose={purpose} onSignedIn={show} />;
    const ownPage = pageOfRole[session.role];
    return (
      <View title="You don’t have access">
        <Notice tone="info" title={`You are signed in as ${nameOf(session)}.`} text={`This page: ${purpose}`}>
          <a class="button" href={ownPage.href}>
            {ownPage.label}
          </a>
          <Button onClick={signOut}>Sign in with another token</Button>
        </Notice>
      </View>
    );
  }

  function Views({ session, common }: { session: Session; common: Common }) {
    useEffect(() => {
      const refresh = async () => {
        const common = await load();
        // Nobody may have signed out meanwhile.
        if (state.peek()?.session === session) set(state, { session, common });
      };
      // The views report a server that is away.
      return keepFresh(() => refresh().catch(() => undefined), 'anywhere');
    }, [session]);
    return <Router routes={routes(common, session)} />;
  }
}

/** The next session begins with the first view. */
const leaveView = () => history.replaceState(null, '', location.pathname);

/** Of whom, and by which clock. */
const whoseIs = ({ role, name, provider, customer, rehearsed_now: now }: Partial<Session> = {}) =>
  [role, name, provider?.id, customer?.id, now && nzDay(new Date(now))].join();

/** The session of this browser, if there is one. @throws CovermapApiError if it is unknown */
async function currentSession(): Promise<Session | undefined> {
  try {
    return await api.get('/api/session');
  } catch (error) {
    if (asApiError(error).status === 401) return undefined;
    throw error;
  }
}
