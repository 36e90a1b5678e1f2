import type { ComponentChildren } from 'preact';
import type { Session } from '../schemas.ts';
import { when } from '../words.ts';
import { Button } from './button.tsx';
import { FocusLink } from './focus-link.tsx';
import { Icon } from './icon.tsx';
import { Badge } from './notice.tsx';

const warnedDaysBefore = 30;

type HeaderProps = { session: Session | undefined; onSignOut(): unknown; children?: ComponentChildren };

/** The head of a page: its name, the navigation, and the signed-in user. */
export function Header({ session, onSignOut, children }: HeaderProps) {
  return (
    <>
      <SiteName href="#/" />
      {children}
      {session && (
        <div class="site-who">
          <strong>{nameOf(session)}</strong>
          <span>Signed in as {session.name}</span>
          {endsSoon(session) && (
            <Badge tone="warning">Your token expires {when(session.token_expires_at)}</Badge>
          )}
        </div>
      )}
      {session && (
        <Button kind="quiet" icon="signOut" onClick={onSignOut}>
          Sign out
        </Button>
      )}
    </>
  );
}

function endsSoon({ token_expires_at }: Session): boolean {
  return new Date(token_expires_at).getTime() < Date.now() + warnedDaysBefore * 86_400_000;
}

/** The operator or customer of a session, or the service itself. */
export function nameOf({ provider, customer }: Session): string {
  return provider?.name ?? customer?.name ?? 'Staff';
}

const publicPages = [
  ['/', 'Map'],
  ['/docs', 'Docs'],
  ['/operator', 'Operators'],
  ['/account', 'Account'],
] as const;

/** The head of the public pages. @param current the address of the page, if it is one of them */
export function PublicHeader({ current }: { current?: (typeof publicPages)[number][0] }) {
  return (
    <>
      <SiteName href="/" />
      <nav class="public-nav" aria-label="Pages">
        {publicPages.map(([address, name]) => (
          <a key={address} href={address} aria-current={address === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </>
  );
}

/** The beginning of a page. Its content has the id `content`. */
function SiteName({ href }: { href: string }) {
  return (
    <>
      <FocusLink to="content" class="skip-link">
        Skip to the content
      </FocusLink>
      <a class="site-name" href={href}>
        <Icon name="covermap" size={26} />
        covermap
      </a>
    </>
  );
}
