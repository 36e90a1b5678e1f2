import { asApiError, onSignedOut, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { byId, fill } from '../shared/dom.ts';
import { showHeader } from '../shared/frame.ts';
import { errorNotice } from '../shared/notice.ts';
import { startRouter } from '../shared/router.ts';
import { currentSession, signInForm, signOut } from '../shared/session.ts';
import type { Catalog, Session } from '../shared/types.ts';
import { describeFile, describeNew } from './describe.ts';
import { homeView } from './home.ts';
import { submissionView } from './submission.ts';
import { versionsView } from './versions.ts';

/** What every view of the page is given. */
export interface Context {
  session: Session;
  catalog: Catalog;
  technologyLabel(name: string): string;
}

const outlet = byId('content');
let leave = () => {};

onSignedOut(() => {
  leave();
  showSignIn();
});

await start();

async function start(): Promise<void> {
  try {
    const session = await currentSession();
    if (session) await showPage(session);
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
  const what = 'Hand in your coverage, see it on the map, and publish it.';
  fill(outlet, signInForm(what, showPage));
  outlet.querySelector('input')?.focus();
}

async function showPage(session: Session): Promise<void> {
  const catalog = await request<Catalog>('GET', '/api/operator/catalog');
  const labels = new Map(catalog.technologies.map(({ name, label }) => [name, label]));
  const context: Context = { session, catalog, technologyLabel: (name) => labels.get(name) ?? name };
  showHeader('#/', session, async () => {
    await signOut().catch(() => undefined);
    leave();
    history.replaceState(null, '', location.pathname);
    showSignIn();
  });
  leave = startRouter(
    outlet,
    [
      [/^\/$/, () => homeView(context)],
      [/^\/new$/, () => describeNew(context)],
      [/^\/file\/([^/]+)$/, (id) => describeFile(context, id as string)],
      [/^\/submission\/([^/]+)$/, (id) => submissionView(context, id as string)],
      [/^\/versions\/([^/]+)$/, (technology) => versionsView(context, technology as string)],
    ],
    'covermap',
  );
}
