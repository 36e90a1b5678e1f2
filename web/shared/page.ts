import { asApiError, onSignedOut } from './api.ts';
import { button } from './button.ts';
import { byId, fill, h } from './dom.ts';
import { nameOf, showHeader } from './frame.ts';
import { navigation, type Place } from './navigation.ts';
import { errorNotice, notice } from './notice.ts';
import { type Routes, startRouter } from './router.ts';
import { currentSession, signInForm, signOut } from './session.ts';
import type { Session } from './types.ts';

export interface Page {
  /** What the page is for, above the field for the token. */
  purpose: string;
  /** Who may use it. */
  roles: readonly Session['role'][];
  /** Where one can go on it, and from it; none where everything begins at one view. */
  places(session: Session): readonly Place[];
  /** Its views, once somebody has signed in; asks for what all of them need. @throws ApiError */
  routes(session: Session): Promise<Routes>;
}

const outlet = byId('content');

/** The page of each role, for those who have come to another's. */
const pageOfRole: Record<Session['role'], { href: string; label: string }> = {
  operator: { href: '/operator', label: 'Go to the page for operators' },
  staff: { href: '/staff', label: 'Go to the page for staff' },
  customer: { href: '/account', label: 'Go to your account' },
};

/** Runs a page: signs in who comes, shows the view of the address, and asks again for the token when the session ends. */
export async function startPage({ purpose, roles, places, routes }: Page): Promise<void> {
  let leave = () => {};

  onSignedOut(() => {
    // What was asked is asked no more: the question would lie over the form.
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    leave();
    showSignIn();
  });
  await start();

  async function start(): Promise<void> {
    try {
      const session = await currentSession();
      if (session) await show(session);
      else showSignIn();
    } catch (error) {
      showHeader('#/', undefined, () => {});
      fill(outlet, errorNotice(asApiError(error), button('Try again', start)));
    }
  }

  function showSignIn(): void {
    leave = () => {};
    document.title = 'Sign in · covermap';
    showHeader('#/', undefined, () => {});
    fill(outlet, signInForm(purpose, show));
    outlet.querySelector('input')?.focus();
  }

  async function show(session: Session): Promise<void> {
    const leaveForGood = async () => {
      await signOut().catch(() => undefined);
      leave();
      history.replaceState(null, '', location.pathname);
      showSignIn();
    };
    if (!roles.includes(session.role)) {
      showHeader('#/', session, leaveForGood);
      return showWrongPage(session, leaveForGood);
    }
    const views = await routes(session);
    const there = places(session);
    const nav = there.length > 0 ? navigation('Parts of this page', there) : undefined;
    showHeader('#/', session, leaveForGood, nav);
    leave = startRouter(outlet, views, 'covermap');
  }

  function showWrongPage(session: Session, leaveForGood: () => unknown): void {
    document.title = 'Not for this token · covermap';
    const own = pageOfRole[session.role];
    fill(
      outlet,
      h(
        'div',
        { class: 'stack narrow' },
        h('h1', {}, 'This page is not for this token'),
        notice(
          'info',
          `You are signed in for ${nameOf(session)}.`,
          purpose,
          h('a', { class: 'button', href: own.href }, own.label),
          button('Sign in with another token', leaveForGood),
        ),
      ),
    );
  }
}
